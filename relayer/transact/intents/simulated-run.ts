import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { serverBusy } from '../../errors.ts'
import type { SimulateOutcome } from '../../../proving/simulate-job.ts'

/** What a simulation that went through has moved. */
export type SimulatedRun = Pick<
  Extract<SimulateOutcome, { success: true }>,
  'provider' | 'assetChanges' | 'assetChangesComplete' | 'watchedChangesComplete' | 'watched' | 'logs'
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
export const hasMoved = ({ assetChanges }: SimulatedRun, { token, from, to, amount }: Movement): boolean =>
  assetChanges.some(
    (change) =>
      (change.type === 'erc20' || change.type === 'native') &&
      isAddressEqual(change.token ?? zeroAddress, token) &&
      isAddressEqual(change.from, from) &&
      isAddressEqual(change.to, to) &&
      change.amount === amount,
  )

/**
 * Whether a run moved a collectible (ERC-721), as its contract's logs tell, and its sender has one less. What becomes of it at
 * the recipient's is the recipient's doing.
 */
export const hasMovedCollectible = (
  run: SimulatedRun,
  { contract, tokenId, from, to }: { contract: Address; tokenId: bigint; from: Address; to: Address },
): boolean =>
  changeOf(run, from, contract) === -1n &&
  run.assetChanges.some(
    (change) =>
      change.type === 'erc721' &&
      change.token !== null &&
      isAddressEqual(change.token, contract) &&
      change.tokenId === tokenId &&
      isAddressEqual(change.from, from) &&
      isAddressEqual(change.to, to),
  )

/**
 * By how much a run changes what an address has of a token, as the token's own balances say; null where the token does not
 * tell.
 * @throws ServiceError `unavailable` when nobody could read it.
 */
export function changeOf({ watched }: Pick<SimulatedRun, 'watched'>, owner: Address, token: Address) {
  const read = watched?.find(
    (one) => isAddressEqual(one.owner, owner) && isAddressEqual(one.token ?? zeroAddress, token),
  )
  if (!read) throw serverBusy('What this would move cannot be told now. Try again later.')
  return read.change
}

/** Tokens that count in shares round each transfer: an amount may miss so many units. */
const ROUNDED_UNITS = 3n
/** And never more than one part in so many. */
const ROUNDED_PART = 1_000n

/** By how much an amount of a token may be off for no other reason than rounding. */
const roundingOf = (amount: bigint): bigint => {
  const part = amount / ROUNDED_PART
  return part < ROUNDED_UNITS ? part : ROUNDED_UNITS
}

/**
 * Whether an address has so much more after a run, or at most so much less where the amount is negative, up to rounding. A
 * native coin moves as it is signed, or the call fails.
 * @throws ServiceError `unavailable` as {@link changeOf}.
 */
export function hasGained(
  run: Pick<SimulatedRun, 'watched'>,
  { token, owner, amount }: { token: Address; owner: Address; amount: bigint },
): boolean {
  if (token === zeroAddress) return true
  const change = changeOf(run, owner, token)
  return change !== null && change >= amount - roundingOf(amount < 0n ? -amount : amount)
}
