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
export interface SimulatedMovement {
  token: Address
  from: Address
  to: Address
  /** Smallest unit. */
  amount: bigint
}

/** Whether a run moved an amount in one piece, as the logs of its token or the traces of the run tell. */
export const hasMoved = (
  { assetChanges }: SimulatedRun,
  { token, from, to, amount }: SimulatedMovement,
): boolean =>
  assetChanges.some(
    (change) =>
      (change.type === 'erc20' || change.type === 'native') &&
      isAddressEqual(change.token ?? zeroAddress, token) &&
      isAddressEqual(change.from, from) &&
      isAddressEqual(change.to, to) &&
      change.amount === amount,
  )

/**
 * Whether a run moved a collectible (ERC-721), by its contract's logs, and its sender has one less. The recipient may pass it
 * on.
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
 * The change of an address's balance by a run, as the token itself reports it; null where the token gives no balance.
 * @throws ServiceError `unavailable` when it could not be read.
 */
function changeOf({ watched }: Pick<SimulatedRun, 'watched'>, owner: Address, token: Address) {
  const read = watched?.find(
    (one) => isAddressEqual(one.owner, owner) && isAddressEqual(one.token ?? zeroAddress, token),
  )
  if (!read) throw serverBusy('What this would move cannot be told now. Try again later.')
  return read.change
}

/** Tokens that count in shares round each transfer: so many units of an amount may be missing. */
const ROUNDED_UNITS = 3n
/** And never more than one part in so many. */
const ROUNDED_PART = 1_000n

/** The largest difference of an amount that rounding alone explains. */
const roundingOf = (amount: bigint): bigint => {
  const part = amount / ROUNDED_PART
  return part < ROUNDED_UNITS ? part : ROUNDED_UNITS
}

/**
 * Whether an address has so much more after a run, or at most so much less for a negative amount, up to rounding. A native
 * coin moves as signed, or the call fails.
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
