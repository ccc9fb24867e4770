import type { Address } from 'viem'
import { RpcRefusal, TransportError } from '../../../proving/simulation/json-rpc.ts'
import { AnswerTooLargeError } from '../../../proving/simulation/post-json.ts'
import type { AskOne } from './ask-nodes.ts'
import type { TracingMode } from './block-facts.ts'
import type { NativeMove } from './find-native.ts'
import type { RawBlock, RawFlatTrace, RawTransaction } from './raw-block.ts'
import { readFlat, readFrames } from './read-traces.ts'

const TOO_MUCH = /too (?:large|big)|execution timeout/i

/** Whether the answer is too large for the node or for us, however often it is requested. */
export const isTooMuch = (error: unknown): boolean =>
  (error instanceof TransportError && error.cause instanceof AnswerTooLargeError) ||
  (error instanceof RpcRefusal && !error.concernsNodeOnly && TOO_MUCH.test(error.message))

/**
 * Traces a block's transactions one by one. Traces hold the input of every call, so anyone can make a block's traces
 * larger than is read for the price of a few transfers. Of a transaction whose own trace is too large only its own
 * transfer is reported, as by a node without traces.
 *
 * @returns isWhole: whether all moves are included.
 */
export async function traceApart(
  ask: AskOne,
  block: RawBlock,
  mode: TracingMode,
  orchestrator: Address | null,
): Promise<{ moves: NativeMove[]; isWhole: boolean }> {
  const moves: NativeMove[] = []
  let isWhole = true
  for (const [txIndex, transaction] of block.transactions.entries()) {
    const own = await traceTransaction(ask, block, { transaction, mode, orchestrator })
    if (own === null) isWhole = false
    for (const move of own ?? topLevelMoves([transaction])) moves.push({ ...move, txIndex })
  }
  return { moves, isWhole }
}

/** The moves of one transaction; null where its traces are too large. */
async function traceTransaction(
  ask: AskOne,
  block: RawBlock,
  {
    transaction,
    mode,
    orchestrator,
  }: { transaction: RawTransaction; mode: TracingMode; orchestrator: Address | null },
) {
  const alone = { ...block, transactions: [transaction] }
  try {
    if (mode === 'debug') {
      const [result] = await ask([
        { method: 'debug_traceTransaction', params: [transaction.hash, { tracer: 'callTracer' }] },
      ])
      return readFrames([{ result }], alone, orchestrator)
    }
    const [answer] = await ask([{ method: 'trace_transaction', params: [transaction.hash] }])
    const traces = Array.isArray(answer) ? (answer as RawFlatTrace[]) : []
    return readFlat(
      traces.map((trace) => ({ ...trace, transactionPosition: 0 })),
      alone,
      orchestrator,
    )
  } catch (error) {
    if (isTooMuch(error)) return null
    throw error
  }
}

/** The native transfers that the transactions themselves make. */
export function topLevelMoves(transactions: readonly RawTransaction[]): NativeMove[] {
  return transactions.flatMap(({ from, to, value }, txIndex) =>
    to !== null && BigInt(value) > 0n ? { txIndex, item: 0, from, to, value: BigInt(value) } : [],
  )
}
