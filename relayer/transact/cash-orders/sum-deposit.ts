import type { Hash } from 'viem'
import type { CashEventRow } from '../../../db/chain/indexer/rows.ts'

/** A buyer's claim on a part of a deposit. */
export interface Held {
  amount: bigint
  /** Last second in which the claim certainly holds; seconds since 1970. */
  expiresAt: number
  /** Price of a whole token, times 1e18; null if the buyer's first event is not indexed. */
  rate: bigint | null
}

/** Sums over the events of a deposit. Amounts in smallest units. */
export interface DepositSums {
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
export function sumDeposit(events: readonly CashEventRow[]): DepositSums {
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
