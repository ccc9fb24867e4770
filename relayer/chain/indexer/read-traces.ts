import type { Address } from 'viem'
import { WrongAnswerError } from './ask-nodes.ts'
import { movesOfFlat, movesOfFrames, type NativeMove } from './find-native.ts'
import type { RawBlock, RawCallFrame, RawFlatTrace } from './raw-block.ts'

interface TracedTransaction {
  result?: RawCallFrame
  error?: unknown
  txHash?: string
}

/** The moves in the traces of a block, and the indexes of transactions without a trace. */
export interface ReadTraces {
  moves: NativeMove[]
  missing: readonly number[]
}

/** True if the chain itself made the transaction: no key signs for the zero address, and it pays and carries nothing. */
export const isOfChain = ({ from, value, gasPrice = '0x0' }: RawBlock['transactions'][number]): boolean =>
  BigInt(from) === 0n && BigInt(value) === 0n && BigInt(gasPrice) === 0n

/**
 * Reads the moves of a block from callTracer's answer. Traces that name no transaction belong to those of the block in
 * order; some nodes leave out the chain's own.
 * @throws WrongAnswerError when the traces are of another block.
 */
export function readFrames(
  answer: unknown,
  { transactions }: RawBlock,
  orchestrator: Address | null,
): ReadTraces {
  const traces = answer as readonly (TracedTransaction | null)[] | null
  if (!Array.isArray(traces)) throw new WrongAnswerError('the traces are of another block')
  const frames: (RawCallFrame | null)[] = transactions.map(() => null)
  const places = placesOf(traces, transactions)
  for (const [index, trace] of traces.entries()) {
    const place = places[index]!
    const isRoot = trace?.result && isRootOf(trace.result, transactions[place]!)
    frames[place] = isRoot ? trace.result! : null
  }
  return {
    moves: movesOfFrames(frames, orchestrator),
    missing: frames.flatMap((frame, index) => (frame ? [] : index)),
  }
}

/** True if it is the call of the transaction itself. */
const isRootOf = ({ type, from }: Partial<RawCallFrame>, transaction: RawBlock['transactions'][number]) =>
  typeof type === 'string' && from?.toLowerCase() === transaction.from.toLowerCase()

/** The index of each trace's transaction. */
function placesOf(
  traces: readonly (TracedTransaction | null)[],
  transactions: RawBlock['transactions'],
): readonly number[] {
  if (traces.every((trace) => trace?.txHash !== undefined)) {
    const indexes = new Map<string, number>(transactions.map(({ hash }, index) => [hash, index]))
    const places = traces.map((trace) => indexes.get(trace!.txHash!))
    if (places.some((place) => place === undefined) || new Set(places).size < places.length)
      throw new WrongAnswerError('the traces are of another block')
    return places as number[]
  }
  const all = [...transactions.keys()]
  const places = traces.length === all.length ? all : all.filter((index) => !isOfChain(transactions[index]!))
  if (traces.length !== places.length) throw new WrongAnswerError('a transaction has no trace')
  if (
    traces.some(
      (trace, index) => trace?.txHash !== undefined && trace.txHash !== transactions[places[index]!]?.hash,
    )
  )
    throw new WrongAnswerError('the traces are of another block')
  return places
}

/**
 * Reads the moves of a block from Parity's trace_block.
 * @throws WrongAnswerError when the traces are another block's, or those of a transaction are incomplete.
 */
export function readFlat(
  answer: unknown,
  { hash, transactions }: RawBlock,
  orchestrator: Address | null,
): ReadTraces {
  const traces = answer as RawFlatTrace[] | null
  if (!Array.isArray(traces) || traces.some(({ blockHash }) => blockHash !== hash))
    throw new WrongAnswerError('the traces are of another block')
  const traced = new Set<number>()
  let last = -1
  for (const { traceAddress, transactionPosition, transactionHash } of traces) {
    if (transactionPosition === undefined || transactionPosition === null) continue
    // Each belongs to the transaction whose own trace came last.
    const isNext = traceAddress.length === 0 ? transactionPosition > last : transactionPosition === last
    if (!isNext) throw new WrongAnswerError('the traces are out of order')
    const transaction = transactions[transactionPosition]
    if (!transaction || (transactionHash && transactionHash !== transaction.hash))
      throw new WrongAnswerError('the traces are of another block')
    last = transactionPosition
    traced.add(last)
  }
  return {
    moves: movesOfFlat(traces, orchestrator),
    missing: [...transactions.keys()].filter((index) => !traced.has(index)),
  }
}
