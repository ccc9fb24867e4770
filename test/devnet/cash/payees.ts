import { encodePacked, keccak256, type Hash } from 'viem'

/** Registered payees, and refused ones. Plain data, as it crosses the process border. */
export interface PayeeRegister {
  /** Names of payment apps and hashes, as `venmo 0x…`. */
  registered: string[]
  /** Handles that are refused, as `venmo alice`. */
  refused: string[]
}

/** The hash by which the escrow knows a payee: always the same for the same handle. */
export const hashPayee = (processorName: string, offchainId: string): Hash =>
  keccak256(encodePacked(['string', 'string', 'string'], [processorName, ':', offchainId]))

/** Registers a payee. @returns The hash; null where the payee is refused. */
export function addPayee(
  register: PayeeRegister,
  { processorName, offchainId }: { processorName: string; offchainId: string },
): Hash | null {
  if (register.refused.includes(`${processorName} ${offchainId}`)) return null
  const hash = hashPayee(processorName, offchainId)
  if (!isRegistered(register, processorName, hash)) register.registered.push(`${processorName} ${hash}`)
  return hash
}

/** Whether a payee is registered, and not refused since. */
export const isRegistered = (register: PayeeRegister, processorName: string, hash: string): boolean =>
  register.registered.includes(`${processorName} ${hash}`)

/** Refuses a payee from now on. */
export function refusePayee(
  register: PayeeRegister,
  { processorName, offchainId }: { processorName: string; offchainId: string },
): void {
  const hash = hashPayee(processorName, offchainId)
  register.refused.push(`${processorName} ${offchainId}`)
  register.registered = register.registered.filter((one) => one !== `${processorName} ${hash}`)
}
