import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { insertBatch, insertingBatch, isBatchTaken, lockQueuedIntents } from '../../../db/transact/batches.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { gasLinesOf, gasOf, type QueuedGroup } from './plan-batches.ts'
import { describeRevert } from '../intents/describe-revert.ts'
import { sumCovers } from './review-cover.ts'
import { demandIntents, simulateBatch } from './simulate-batch.ts'
import { BATCH_KIND, type SubmissionParts } from './submission-parts.ts'
import { encodeBatch } from '../intents/intent.ts'

/** A quote whose intents would not all succeed now. */
export interface FailingGroup {
  quote: QueuedGroup
  reason: string
}

/**
 * Simulates quotes as one transaction and queues it for sending. Failing quotes are skipped. If the whole transaction
 * fails, each half is tried by itself, so that one bad intent does not block the rest.
 *
 * @returns The skipped quotes; they stay queued.
 * @throws An error that `isGasRefused` recognises if the budget of unpaid gas has no room for it.
 */
export async function sendBatch(
  parts: SubmissionParts,
  chain: Chain,
  quotes: readonly QueuedGroup[],
): Promise<FailingGroup[]> {
  if (quotes.length === 0) return []
  const rehearsed = findRehearsal(parts, quotes)
  if (rehearsed) {
    await enqueueBatch(parts, chain, quotes, rehearsed)
    return []
  }
  const intents = quotes.flatMap((quote) => quote.intents.map((intent) => ({ quote, intent })))
  const simulated = await simulateBatch(
    parts,
    chain,
    intents.map(({ intent }) => intent),
    gasOf(quotes),
  )
  if (!simulated.success) {
    const [only] = quotes
    if (quotes.length === 1 && only) return [{ quote: only, reason: describeRevert(simulated.revert) }]
    const middle = Math.ceil(quotes.length / 2)
    return [
      ...(await sendBatch(parts, chain, quotes.slice(0, middle))),
      ...(await sendBatch(parts, chain, quotes.slice(middle))),
    ]
  }
  const failing = new Map<QueuedGroup, string>()
  for (const [place, failure] of simulated.failures.entries())
    if (failure !== null) failing.set(intents[place]!.quote, failure)
  if (failing.size === 0) {
    await enqueueBatch(parts, chain, quotes, simulated.origin)
    return []
  }
  // The others may behave differently without the failing ones, so they are simulated again.
  const rest = await sendBatch(
    parts,
    chain,
    quotes.filter((quote) => !failing.has(quote)),
  )
  return [...[...failing].map(([quote, reason]) => ({ quote, reason })), ...rest]
}

/**
 * Returns the sender with which a lone quote was just simulated as this exact transaction at its submission; else null.
 */
function findRehearsal(
  { rehearsals }: SubmissionParts,
  [only, ...more]: readonly QueuedGroup[],
): Address | null {
  if (!only || more.length > 0 || only.intents.some(({ attempts }) => attempts > 0)) return null
  return rehearsals.take(only.quoteId, only.intents)
}

/**
 * Writes the batch with its intents and the outbox transaction in one statement. If another instance took some of the
 * intents, they are locked first, and the remaining ones are written.
 */
async function enqueueBatch(
  parts: SubmissionParts,
  chain: Chain,
  quotes: readonly QueuedGroup[],
  origin: Address,
): Promise<void> {
  const { broadcast, logger } = parts
  const { chainId } = chain.config
  async function writeWhole(): Promise<WrittenBatch> {
    const { call, rowsOf, taking } = describeBatch(parts, chain, quotes, origin)
    const inserting = (id: string) => insertingBatch(rowsOf(id), taking(id))
    return { outboundId: await broadcast.send(call, inserting), quotes }
  }
  const written = await writeWhole().catch((error: unknown) => {
    if (!isBatchTaken(error)) throw error
    return enqueueRest(parts, chain, quotes, origin)
  })
  if (written)
    logger.info({ chainId, ...describeWritten(written) }, 'intents are on their way in one transaction')
}

/** A batch in the outbox. */
interface WrittenBatch {
  outboundId: string
  quotes: readonly QueuedGroup[]
}

/**
 * The ids by which the log follows a payment. A quote whose intents go alone is not named: its name in several transactions
 * would join their addresses.
 */
const describeWritten = ({ outboundId, quotes }: WrittenBatch) => ({
  outboundId,
  intents: quotes.reduce((sum, { intents }) => sum + intents.length, 0),
  quoteIds: quotes.flatMap(({ quoteId, intents }) => (intents.some(({ alone }) => alone) ? [] : quoteId)),
})

/** Writes the batch of the quotes that no other instance took; null if there is none. */
async function enqueueRest(
  parts: SubmissionParts,
  chain: Chain,
  quotes: readonly QueuedGroup[],
  origin: Address,
): Promise<WrittenBatch | null> {
  const { database, broadcast } = parts
  const written = await database.transaction(async (transaction) => {
    const ids = quotes.flatMap(({ intents }) => intents.map(({ id }) => id))
    const locked = await lockQueuedIntents(transaction, ids)
    // A quote is sent as a whole or not at all.
    const ours = quotes.filter(({ intents }) => intents.every(({ id }) => locked.has(id)))
    if (ours.length === 0) return null
    const rest = describeBatch(parts, chain, ours, origin)
    const outboundId = await broadcast.enqueue(transaction, rest.call)
    await insertBatch(transaction, rest.rowsOf(outboundId), rest.taking(outboundId))
    return { outboundId, quotes: ours }
  })
  if (written) broadcast.wake(chain.config.chainId)
  return written
}

/** Describes a batch as its transaction, its rows, and its part of the budget of unpaid gas. */
function describeBatch(
  { ownBatches, gasBudget, config: { provenAfter } }: SubmissionParts,
  chain: Chain,
  quotes: readonly QueuedGroup[],
  origin: Address,
) {
  const { chainId } = chain.config
  const intents = quotes.flatMap((quote) => quote.intents)
  const id = randomUUID()
  const call = {
    chainId,
    kind: BATCH_KIND,
    reference: id,
    serves: quotes.map(({ quoteId }) => quoteId),
    to: demandIntents(chain).orchestrator,
    data: encodeBatch(intents.map(({ encoded }) => encoded)),
    value: 0n,
    gasLimit: gasOf(quotes),
    cover: sumCovers(quotes),
    origin,
    authorizations: intents.flatMap(({ delegation }) => (delegation ? [{ chainId, ...delegation }] : [])),
  }
  const rowsOf = (outboundId: string) => ({
    id,
    chainId,
    outboundId,
    shares: quotes.flatMap(({ quoteId, accounts }) =>
      [...accounts].map((accountId) => ({ accountId, quoteId })),
    ),
    intentIds: intents.map((intent) => intent.id),
  })
  // Noted before the write: its notifications may come at once.
  ownBatches.note(
    id,
    quotes.map(({ quoteId }) => quoteId),
  )
  const taking = (outboundId: string) =>
    gasBudget.taking(outboundId, { chainId, lines: gasLinesOf(quotes), provenAfter })
  return { call, rowsOf, taking }
}
