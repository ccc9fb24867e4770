import { isAddressEqual, zeroAddress, type Address } from 'viem'
import type { SimulateOutcome } from '../../../proving/simulate-job.ts'

/** What a simulation that went through has moved. */
export type SimulatedRun = Pick<
  Extract<SimulateOutcome, { success: true }>,
  'provider' | 'assetChanges' | 'assetChangesComplete' | 'watchedChangesComplete' | 'logs'
>

/**
 * A movement of one asset; the zero address stands for the native coin, and for the other side of minting and
 * burning.
 */
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

/** Whether a run moved a collectible (ERC-721), as its contract's logs tell; without logs (`eth_call`) nothing is known. */
export const hasMovedCollectible = (
  { provider, assetChanges }: SimulatedRun,
  { contract, tokenId, from, to }: { contract: Address; tokenId: bigint; from: Address; to: Address },
): boolean =>
  provider === 'rpc-call' ||
  assetChanges.some(
    (change) =>
      change.type === 'erc721' &&
      change.token !== null &&
      isAddressEqual(change.token, contract) &&
      change.tokenId === tokenId &&
      isAddressEqual(change.from, from) &&
      isAddressEqual(change.to, to),
  )

/**
 * Whether an address receives the whole transfer, as far as that is in doubt: a native coin arrives or the call
 * fails, and without logs (`eth_call`) nothing is known.
 */
export const hasDelivered = (run: SimulatedRun, movement: Movement): boolean =>
  movement.token === zeroAddress ||
  movement.amount === 0n ||
  run.provider === 'rpc-call' ||
  hasMoved(run, movement)
