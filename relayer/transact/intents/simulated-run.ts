import { isAddressEqual, zeroAddress, type Address } from 'viem'
import type { SimulateOutcome } from '../../../proving/proving-pool.ts'

/** What a simulation that went through has moved. */
export type SimulatedRun = Pick<
  Extract<SimulateOutcome, { success: true }>,
  'provider' | 'assetChanges' | 'assetChangesComplete'
>

/** A movement of a whole amount, the zero address for the native coin, and for what is minted or burnt. */
export interface Movement {
  token: Address
  from: Address
  to: Address
  /** Smallest unit. */
  amount: bigint
}

/** Whether a run moved an amount in one piece, as the logs of its token or the traces of the run tell. */
export function hasMoved({ assetChanges }: SimulatedRun, { token, from, to, amount }: Movement): boolean {
  return assetChanges.some(
    (change) =>
      (change.type === 'erc20' || change.type === 'native') &&
      isAddressEqual(change.token ?? zeroAddress, token) &&
      isAddressEqual(change.from, from) &&
      isAddressEqual(change.to, to) &&
      change.amount === amount,
  )
}

/**
 * Whether somebody gets the whole of a transfer, as far as that can be in doubt: a native coin arrives or the call fails,
 * and the last resort of nodes tells no logs.
 */
export const hasDelivered = (run: SimulatedRun, movement: Movement): boolean =>
  movement.token === zeroAddress ||
  movement.amount === 0n ||
  run.provider === 'rpc-call' ||
  hasMoved(run, movement)
