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
export const hasMoved = (run: SimulatedRun, movement: Movement): boolean =>
  hasMovedSo(run, movement, (moved) => moved === movement.amount)

function hasMovedSo(
  { assetChanges }: SimulatedRun,
  { token, from, to }: Movement,
  isEnough: (moved: bigint) => boolean,
): boolean {
  return assetChanges.some(
    (change) =>
      (change.type === 'erc20' || change.type === 'native') &&
      isAddressEqual(change.token ?? zeroAddress, token) &&
      isAddressEqual(change.from, from) &&
      isAddressEqual(change.to, to) &&
      isEnough(change.amount),
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
  isBeyondDoubt(run, movement) || hasMoved(run, movement)

/** Whether an address receives so much or more in one piece, as far as that is in doubt. */
export const hasDeliveredAtLeast = (run: SimulatedRun, movement: Movement): boolean =>
  isBeyondDoubt(run, movement) || hasMovedSo(run, movement, (moved) => moved >= movement.amount)

const isBeyondDoubt = ({ provider }: SimulatedRun, { token, amount }: Movement): boolean =>
  token === zeroAddress || amount === 0n || provider === 'rpc-call'
