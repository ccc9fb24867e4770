import { size } from 'viem'
import type { QueuedIntent } from '../../../db/transact/batches.ts'
import type { GasLine } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import type { Cover } from '../../../db/chain/broadcast/outbound-rows.ts'
import { publicGasLimit, batchGasLimit, MAX_TRANSACTION_GAS, OVERHEAD } from '../intents/batch-gas.ts'

/** Most bytes of signed intents in one transaction: nodes accept 128 KiB. */
const MAX_BYTES = 100_000

/**
 * The waiting intents of one quote, which are sent together; or a single one that must go alone. Each group is judged
 * and sent by itself.
 */
export interface QueuedGroup {
  quoteId: string
  /** Accounts whose addresses its transaction would show: the sender's and, if it is one of ours, the recipient's. */
  accounts: ReadonlySet<string>
  intents: readonly QueuedIntent[]
  /** Cost that its fee covers, once computed; null if it has no fee. */
  cover?: Cover | null
}

/** Groups the waiting intents by quote, in the order of the queue; those that go alone are groups of one. */
export function groupByQuote(intents: readonly QueuedIntent[]): QueuedGroup[] {
  const groups = Map.groupBy(intents, ({ id, quoteId, alone }) => (alone ? id : quoteId))
  return [...groups.values()].map((those) => ({
    quoteId: those[0]!.quoteId,
    accounts: new Set(
      those.flatMap(({ accountId, recipientAccountId }) =>
        recipientAccountId ? [accountId, recipientAccountId] : [accountId],
      ),
    ),
    intents: those,
  }))
}

/** Limits of one transaction. */
export interface BatchRoom {
  maxQuotes: number
  /** Most gas of the transaction. */
  maxGas: bigint
}

/**
 * Returns the limits of one transaction. They come from a block, the budget of unpaid gas, and a signer's coins (null
 * if unknown).
 */
export function roomOf(
  { maxBatch, maxBatchGas }: { maxBatch: number; maxBatchGas: number },
  { blockGasLimit, budgetGas }: { blockGasLimit: bigint; budgetGas: bigint },
  affordableGas: bigint | null,
): BatchRoom {
  const limits = [BigInt(maxBatchGas), MAX_TRANSACTION_GAS, blockGasLimit, budgetGas]
  if (affordableGas !== null) limits.push(affordableGas)
  return { maxQuotes: maxBatch, maxGas: limits.reduce((least, limit) => (limit < least ? limit : least)) }
}

/**
 * Packs quotes into as few transactions as possible. No account appears twice in one of them, as sender or recipient,
 * because that would join two of its addresses in public. A quote goes alone if it is too large, if a transaction left
 * it untouched before, or if others can make it fail. So it cannot harm others.
 */
export function planBatches(quotes: readonly QueuedGroup[], room: BatchRoom): QueuedGroup[][] {
  const batches: { quotes: QueuedGroup[]; accounts: Set<string>; bytes: number }[] = []
  for (const quote of quotes) {
    const bytes = bytesOf(quote)
    const batch = batches.find(
      (candidate) =>
        !goesAlone(quote) &&
        !candidate.quotes.some(goesAlone) &&
        candidate.quotes.length < room.maxQuotes &&
        candidate.accounts.isDisjointFrom(quote.accounts) &&
        candidate.bytes + bytes <= MAX_BYTES &&
        gasOf([...candidate.quotes, quote]) <= room.maxGas,
    )
    if (!batch) {
      batches.push({ quotes: [quote], accounts: new Set(quote.accounts), bytes })
      continue
    }
    batch.quotes.push(quote)
    batch.bytes += bytes
    for (const account of quote.accounts) batch.accounts.add(account)
  }
  return batches.map((batch) => batch.quotes)
}

/** Returns the gas limit of a transaction with all of them. */
export const gasOf = (quotes: readonly QueuedGroup[]) =>
  publicGasLimit(quotes.flatMap(({ intents }) => intents))

/** Returns each quote's part of that gas: together they are all of it, because each may burn its part. */
export function gasLinesOf(quotes: readonly QueuedGroup[]): GasLine[] {
  const parts = quotes.map(({ intents }) => batchGasLimit(intents) - OVERHEAD)
  // The first part includes what rounding adds.
  const first = gasOf(quotes) - parts.slice(1).reduce((sum, part) => sum + part, 0n)
  return quotes.map(({ quoteId, intents }, place) => {
    const contracts = intents[0]?.contracts ?? []
    return {
      reference: quoteId,
      share: contracts.length > 0 ? 'send' : 'plain_send',
      contracts,
      gas: place === 0 ? first : parts[place]!,
      paidGas: null,
    }
  })
}

const goesAlone = ({ intents }: QueuedGroup) =>
  intents.some(({ attempts, contracts }) => attempts > 0 || contracts !== null)

const bytesOf = ({ intents }: QueuedGroup) => intents.reduce((sum, { encoded }) => sum + size(encoded), 0)
