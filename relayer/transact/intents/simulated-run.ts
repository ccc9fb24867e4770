import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { serverBusy } from '../../errors.ts'
import type { SimulateOutcome, SimulateJob } from '../../../proving/simulate-job.ts'

/** Movements and balances of a successful simulation. */
export type SimulatedRun = Pick<
  Extract<SimulateOutcome, { success: true }>,
  'provider' | 'assetChanges' | 'assetChangesComplete' | 'watchedChangesComplete' | 'watched' | 'logs'
>

/**
 * A movement of one asset. The zero address stands for the native coin, and for the other side of minting and burning.
 */
export interface SimulatedMovement {
  token: Address
  from: Address
  to: Address
  /** Smallest unit. */
  amount: bigint
}

/** True if a run moved an amount in one piece, according to the token's logs or the traces of the run. */
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
 * True if a run moved a collectible (ERC-721), according to its contract's logs, and its sender has one less. The
 * recipient may pass it on.
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
 * Returns the change of an address's balance in a run, as the token itself reports it; null if the token reports no
 * balance.
 * @throws ServiceError `unavailable` when the balance could not be read.
 */
function changeOf({ watched }: SimulatedRun, owner: Address, token: Address) {
  const read = watched?.find(
    (one) => isAddressEqual(one.owner, owner) && isAddressEqual(one.token ?? zeroAddress, token),
  )
  if (!read) throw serverBusy('The movements of this cannot be determined now. Try again later.')
  return read.change
}

/** Units that may be missing, because tokens that count in shares round each transfer. */
const ROUNDED_UNITS = 3n
/** Largest missing part of an amount, as one part in so many. */
const ROUNDED_PART = 1_000n

/** Returns the largest difference of an amount that rounding alone explains. */
const roundingOf = (amount: bigint): bigint => {
  const part = amount / ROUNDED_PART
  return part < ROUNDED_UNITS ? part : ROUNDED_UNITS
}

/**
 * True if an address gained at least `amount` in a run (for a negative amount: lost at most that), up to rounding. A
 * native coin moves as signed, or the call fails.
 * @throws ServiceError `unavailable` as {@link changeOf}.
 */
export function hasGained(
  run: SimulatedRun,
  { token, owner, amount }: { token: Address; owner: Address; amount: bigint },
): boolean {
  if (token === zeroAddress) return true
  const change = changeOf(run, owner, token)
  return change !== null && change >= amount - roundingOf(amount < 0n ? -amount : amount)
}

/** Results that a run reports besides its success and the balances of the spent token. */
export type RunEffects =
  /** Adds all parties' balances of these tokens, before and after; the zero address is the native coin. */
  | { told: 'balances'; tokens: readonly Address[] }
  /** The same, and the logs must explain the changes. `beside`: further parties. */
  | { told: 'parties'; tokens: readonly Address[]; beside?: readonly Address[] }
  /** Every movement. It takes our own EVM, which sends more queries to the node. */
  | { told: 'everything' }

/** Reports only the balances of the spent token. */
export const PLAIN_EFFECTS: RunEffects = { told: 'balances', tokens: [] }

/** The parties whose balances a run must report. */
interface RunParties {
  /** The spent token. */
  token: Address
  /** The payers and the recipients of the output. */
  owners: readonly Address[]
  /** Null if no fee is paid. It may pay for gas in other transactions, so logs need not explain its balance. */
  feeReceiver: Address | null
}

/**
 * Returns the options of a simulation that reports these effects on the parties. A native coin arrives or the call
 * fails, so its balances are read only where a kind wants them.
 */
export function askFor(
  effects: RunEffects,
  { token, owners, feeReceiver }: RunParties,
): Pick<SimulateJob, 'prefer' | 'watch'> {
  const prefer = effects.told === 'everything' ? 'evm' : 'node'
  const wanted = effects.told === 'everything' ? [] : effects.tokens
  const tokens = [...new Set([...wanted, ...(token === zeroAddress ? [] : [token])])]
  if (tokens.length === 0) return { prefer }
  const parties = [...owners, ...((effects.told === 'parties' && effects.beside) || [])]
  return {
    prefer,
    watch: {
      owners: [...new Set([...parties, ...(feeReceiver ? [feeReceiver] : [])])],
      tokens: tokens.map((one) => (one === zeroAddress ? null : one)),
      explain: effects.told === 'parties' ? [...new Set(parties)] : [],
    },
  }
}
