import type { Address } from 'viem'
import { RpcRefusal, TransportError } from '../../../proving/rpc/json-rpc.ts'
import { AnswerTooLargeError } from '../../../proving/rpc/post-json.ts'
import { WrongAnswerError, type AskOne } from './ask-nodes.ts'
import type { TracingMode } from './block-facts.ts'
import type { NativeMove } from './find-native.ts'
import type { RawBlock, RawFlatTrace, RawReceipt, RawTransaction } from './raw-block.ts'
import { isOfChain, readFlat, readFrames, type ReadTraces } from './read-traces.ts'

const TOO_MUCH = /too (?:large|big)|execution timeout/i
/** With more transactions without a trace, the node's answer is wrong as a whole. */
const MOST_APART = 32
/** Gas of a transaction that runs no code and has no data. */
const PLAIN_GAS = 21_000n

/** True if the answer is too large for the node or for us, however often it is requested. */
export const isTooMuch = (error: unknown): boolean =>
  (error instanceof TransportError && error.cause instanceof AnswerTooLargeError) ||
  (error instanceof RpcRefusal && !error.concernsNodeOnly && TOO_MUCH.test(error.message))

/** The node and the method of a trace. */
export interface Tracing {
  ask: AskOne
  block: RawBlock
  mode: TracingMode
  orchestrator: Address | null
}

/** The moves of a block. */
export interface TracedMoves {
  moves: NativeMove[]
  /** Whether all moves are included. */
  isWhole: boolean
  /** Indexes of the chain's own transactions without a trace: only their logs show whom they pay. */
  ofChain: readonly number[]
}

/**
 * Traces a block's transactions one by one. Traces hold the input of every call, so a few cheap transfers can make a block's
 * traces too large. Of a transaction whose own trace is too large, only its own transfer is reported, as by a node without
 * traces.
 */
export async function traceApart(tracing: Tracing): Promise<TracedMoves> {
  const moves: NativeMove[] = []
  const ofChain: number[] = []
  let isWhole = true
  for (const [txIndex, transaction] of tracing.block.transactions.entries()) {
    const own = await traceOne(tracing, transaction)
    if (own === 'of the chain') ofChain.push(txIndex)
    if (own === 'too much') isWhole = false
    const known = own === 'too much' ? topLevelMoves([transaction]) : own === 'of the chain' ? [] : own
    for (const move of known) moves.push({ ...move, txIndex })
  }
  return { moves, isWhole, ofChain }
}

/** Completes the traces of a block in which some transactions have none, by tracing these apart. */
export async function completeTraces(tracing: Tracing, { moves, missing }: ReadTraces): Promise<TracedMoves> {
  const { transactions } = tracing.block
  if (missing.filter((index) => !isOfChain(transactions[index]!)).length > MOST_APART)
    throw new WrongAnswerError('transactions have no trace')
  const all = [...moves]
  const ofChain: number[] = []
  let isWhole = true
  for (const txIndex of missing) {
    const transaction = transactions[txIndex]!
    const own = isOfChain(transaction) ? 'of the chain' : await traceOne(tracing, transaction)
    if (own === 'of the chain') ofChain.push(txIndex)
    if (own === 'too much') isWhole = false
    const known = own === 'too much' ? topLevelMoves([transaction]) : own === 'of the chain' ? [] : own
    for (const move of known) all.push({ ...move, txIndex })
  }
  return { moves: all.toSorted((one, other) => one.txIndex - other.txIndex), isWhole, ofChain }
}

/**
 * Returns the moves of one transaction by its own trace, or by a receipt that proves that no code moved anything.
 * @throws WrongAnswerError when neither shows them.
 */
async function traceOne(
  tracing: Tracing,
  transaction: RawTransaction,
): Promise<NativeMove[] | 'too much' | 'of the chain'> {
  let failure: unknown = new WrongAnswerError('a transaction has no trace')
  for (const mode of tracing.mode === 'debug'
    ? (['debug', 'parity'] as const)
    : (['parity', 'debug'] as const))
    try {
      const { moves, missing } = await traceTransaction({ ...tracing, mode }, transaction)
      if (missing.length === 0) return moves
    } catch (error) {
      if (isTooMuch(error)) return 'too much'
      if (!(error instanceof WrongAnswerError || error instanceof RpcRefusal)) throw error
      if (error instanceof RpcRefusal && error.concernsNodeOnly) failure = error
    }
  if (isOfChain(transaction)) return 'of the chain'
  const proven = await movesByReceipt(tracing, transaction)
  if (proven === null) throw failure
  return proven
}

async function traceTransaction(
  { ask, block, mode, orchestrator }: Tracing,
  transaction: RawTransaction,
): Promise<ReadTraces> {
  const alone = { ...block, transactions: [transaction] }
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
}

/**
 * A failed transaction moves nothing, and one that ran no code only its own value; null where the receipt proves neither.
 */
async function movesByReceipt(
  { ask, block }: Tracing,
  transaction: RawTransaction,
): Promise<NativeMove[] | null> {
  const [answer] = await ask([{ method: 'eth_getTransactionReceipt', params: [transaction.hash] }])
  const receipt = answer as RawReceipt | null
  if (receipt?.blockHash !== block.hash || receipt.transactionHash !== transaction.hash) return null
  if (receipt.status === '0x0') return []
  const isPlain =
    transaction.input === '0x' && transaction.to !== null && BigInt(receipt.gasUsed) === PLAIN_GAS
  return isPlain ? topLevelMoves([transaction]) : null
}

/** Returns the native transfers that the transactions themselves make. */
export function topLevelMoves(transactions: readonly RawTransaction[]): NativeMove[] {
  return transactions.flatMap(({ from, to, value }, txIndex) =>
    to !== null && BigInt(value) > 0n ? { txIndex, item: 0, from, to, value: BigInt(value) } : [],
  )
}
