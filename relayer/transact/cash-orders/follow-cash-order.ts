import type { CashEventRow } from '../../../db/chain/indexer/rows.ts'
import type { CashState, FollowedCashOrder } from '../../../db/transact/followed-cash-orders.ts'
import type { FinalHead } from '../orders/order-state.ts'
import type { Hash } from 'viem'

const ONE = 10n ** 18n
/**
 * A buyer who names a rate above this multiple of the quoted one does not mean to pay: the rate is ignored.
 */
const ABSURD_RATE = 10n

/**
 * Computes the state of a cash-out from what is indexed now. Events and reorgs in any order lead to the state
 * that a fresh index would give. A cash-out is never reported as paid before the escrow paid out.
 *
 * | phase | when |
 * |---|---|
 * | depositing | the escrow does not have the deposit |
 * | bridging | the bridge has it |
 * | failed | the intents failed, or the bridge paid back, or filled without a deposit |
 * | listed, matched, partially_filled | the escrow has it; buyers have claimed some; something was paid out |
 * | completed, returned | nothing is left, in a final block; nothing came back, or something did |
 *
 * @param events Events of the order's own deposit, in the order of the chain; none before the deposit.
 * @param head Final head of the escrow's chain; null while it is not indexed.
 */
export function followCashOrder(
  order: FollowedCashOrder,
  events: readonly CashEventRow[],
  head: FinalHead | null,
): CashState {
  const [deposit] = events
  if (!deposit) return withoutDeposit(order)
  const sums = sumDeposit(events)
  const { deposited, filled, released, withdrawn, dust } = sums
  // Expiry is judged by the time of the final head, which no reorg takes back.
  const live = [...sums.held.values()].filter(({ expiresAt }) => head?.time == null || expiresAt >= head.time)
  const outstanding = live.reduce((sum, { amount }) => sum + amount, 0n)
  const unsold = deposited - filled - withdrawn - dust
  const isOver = sums.isClosed || (unsold === 0n && sums.held.size === 0)
  const isFinal = isOver && sums.lastBlock <= (head?.block ?? -1n)
  const ends = live.map(({ expiresAt }) => expiresAt)
  return {
    phase: isFinal ? endOf(sums) : phaseOf({ filled, outstanding }),
    failureKind: null,
    depositId: deposit.depositId,
    depositTx: deposit.txHash,
    deposited,
    filled,
    released,
    withdrawn,
    dust,
    outstanding,
    acceptsBuyers: sums.isAccepting && !isOver,
    fiatAmount: sumFiat(order, sums, { live, free: unsold - outstanding }),
    buyerPaymentDueAt: ends.length > 0 ? momentOf(Math.min(...ends)) : null,
    recoverableAt: unsold > 0n && !isOver ? momentOf(recoverableSince(sums, ends)) : null,
    blockDue: isOver && !isFinal ? sums.lastBlock : null,
    timeDue: ends.length > 0 ? Math.min(...ends) + 1 : null,
  }
}

function withoutDeposit({ amount, quotedRate, bridge, executedTx, hasFailed }: FollowedCashOrder): CashState {
  const failure = failureOf()
  return {
    phase: failure ? 'failed' : bridge?.depositTx ? 'bridging' : 'depositing',
    failureKind: failure,
    depositId: null,
    depositTx: null,
    deposited: 0n,
    filled: 0n,
    released: 0n,
    withdrawn: 0n,
    dust: 0n,
    outstanding: 0n,
    acceptsBuyers: false,
    fiatAmount: failure ? 0n : (amount * quotedRate) / ONE,
    buyerPaymentDueAt: null,
    recoverableAt: null,
    blockDue: null,
    timeDue: null,
  }

  function failureOf(): CashState['failureKind'] {
    if (bridge?.status === 'refunded') return 'bridge_refunded'
    // The fill is final and its transaction has no such deposit: the bridge gave the token to the account.
    if (bridge?.status === 'completed') return 'bridge_fallback'
    const hasNone = hasFailed && executedTx === null
    return bridge?.status === 'failed' || hasNone ? 'deposit_failed' : null
  }
}

const endOf = ({ withdrawn }: DepositSums): CashState['phase'] => (withdrawn > 0n ? 'returned' : 'completed')

const phaseOf = ({ filled, outstanding }: { filled: bigint; outstanding: bigint }): CashState['phase'] =>
  filled > 0n ? 'partially_filled' : outstanding > 0n ? 'matched' : 'listed'

/** The latest end of a live claim; without one, the time since which no claim holds anything. */
const recoverableSince = ({ held, freeSince }: DepositSums, ends: readonly number[]): number =>
  ends.length > 0
    ? Math.max(...ends)
    : Math.max(freeSince, ...[...held.values()].map(({ expiresAt }) => expiresAt))

function sumFiat(
  { quotedRate }: FollowedCashOrder,
  { sold }: DepositSums,
  { live, free }: { live: DepositSums['sold']; free: bigint },
): bigint {
  // The buyer names the rate, and the escrow checks only that it is high enough.
  const rateOf = (rate: bigint | null) =>
    rate === null || rate > ABSURD_RATE * quotedRate ? quotedRate : rate
  const agreed = [...sold, ...live].reduce((sum, { amount, rate }) => sum + amount * rateOf(rate), 0n)
  return (agreed + free * quotedRate) / ONE
}

const momentOf = (seconds: number) => new Date(seconds * 1_000)

/** A buyer's claim on a part of a deposit. */
interface Held {
  amount: bigint
  /** Last second in which the claim certainly holds; seconds since 1970. */
  expiresAt: number
  /** Price of a whole token, times 1e18; null if the buyer's first event is not indexed. */
  rate: bigint | null
}

/** Sums over the events of a deposit. Amounts in smallest units. */
interface DepositSums {
  deposited: bigint
  filled: bigint
  released: bigint
  withdrawn: bigint
  dust: bigint
  isClosed: boolean
  /** True unless the seller closed the deposit to new buyers. */
  isAccepting: boolean
  /** All claims by hash, including expired ones that were not released. */
  held: ReadonlyMap<Hash, Held>
  /** Sold amounts with their agreed rates. */
  sold: readonly { amount: bigint; rate: bigint | null }[]
  /** End of the last claim that was released or paid, or the deposit's own time; seconds since 1970. */
  freeSince: number
  lastBlock: bigint
}

/** Sums up all events of one deposit, in the order of the chain. */
function sumDeposit(events: readonly CashEventRow[]): DepositSums {
  const held = new Map<Hash, Held>()
  const rates = new Map<Hash, bigint>()
  const sold: { amount: bigint; rate: bigint | null }[] = []
  const paidFor = new Map<Hash, bigint>()
  const sums = {
    deposited: 0n,
    filled: 0n,
    released: 0n,
    withdrawn: 0n,
    dust: 0n,
    isClosed: false,
    isAccepting: true,
    freeSince: 0,
    lastBlock: 0n,
  }

  function free(hash: Hash, time: number): void {
    const expiresAt = held.get(hash)?.expiresAt ?? time
    held.delete(hash)
    // A claim that expired earlier was free from its expiry on.
    sums.freeSince = Math.max(sums.freeSince, Math.min(time, expiresAt))
  }

  for (const { kind, amount, intentHash, expiresAt, rate, flag, blockTime, blockNumber } of events) {
    const time = Math.floor(blockTime.getTime() / 1_000)
    sums.lastBlock = blockNumber
    if (kind === 'received') {
      sums.deposited += amount ?? 0n
      sums.freeSince = time
    } else if (kind === 'added') sums.deposited += amount ?? 0n
    else if (kind === 'withdrawn') sums.withdrawn += amount ?? 0n
    else if (kind === 'dust') sums.dust += amount ?? 0n
    else if (kind === 'closed') sums.isClosed = true
    else if (kind === 'accepting') sums.isAccepting = flag === true
    if (intentHash === null) continue
    const own = held.get(intentHash)
    if (kind === 'signaled' && rate !== null) rates.set(intentHash, rate)
    else if (kind === 'locked')
      held.set(intentHash, {
        amount: amount ?? 0n,
        expiresAt: expiresAt ?? 0,
        rate: rates.get(intentHash) ?? null,
      })
    else if (kind === 'extended' && own) own.expiresAt = expiresAt ?? own.expiresAt
    else if (kind === 'unlocked') free(intentHash, time)
    else if (kind === 'transferred') {
      free(intentHash, time)
      sums.filled += amount ?? 0n
      paidFor.set(intentHash, amount ?? 0n)
      sold.push({ amount: amount ?? 0n, rate: rates.get(intentHash) ?? null })
    } else if (kind === 'fulfilled' && flag === true) sums.released += paidFor.get(intentHash) ?? 0n
  }
  return { ...sums, held, sold }
}
