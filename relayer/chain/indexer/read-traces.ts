import type { Address } from 'viem'
import { RpcRefusal } from '../../../proving/simulation/json-rpc.ts'
import { WrongAnswerError } from './ask-nodes.ts'
import { movesOfFlat, movesOfFrames, type NativeMove } from './find-native.ts'
import type { RawBlock, RawCallFrame, RawFlatTrace } from './raw-block.ts'

interface TracedTransaction {
  result?: RawCallFrame
  error?: unknown
  txHash?: string
}

/**
 * The moves of a block as callTracer tells it.
 * @throws WrongAnswerError when a trace is missing or another transaction's; RpcRefusal when the node gave one up.
 */
export function readFrames(
  answer: unknown,
  { transactions }: RawBlock,
  orchestrator: Address | null,
): NativeMove[] {
  const traces = answer as readonly TracedTransaction[] | null
  if (!Array.isArray(traces) || traces.length !== transactions.length)
    throw new WrongAnswerError('the traces are of another block')
  const frames = transactions.map(({ hash }, index) => {
    const { result, txHash, error } = traces[index] as TracedTransaction
    if (!result && typeof error === 'string') throw new RpcRefusal({ code: -32_000, message: error })
    if (!result || (txHash !== undefined && txHash !== hash))
      throw new WrongAnswerError('a transaction has no trace')
    return result
  })
  return movesOfFrames(frames, orchestrator)
}

/**
 * The moves of a block as Parity's trace_block tells it.
 * @throws WrongAnswerError when a trace is missing or another block's.
 */
export function readFlat(
  answer: unknown,
  { hash, transactions }: RawBlock,
  orchestrator: Address | null,
): NativeMove[] {
  const traces = answer as RawFlatTrace[] | null
  if (!Array.isArray(traces) || traces.some(({ blockHash }) => blockHash !== hash))
    throw new WrongAnswerError('the traces are of another block')
  let roots = 0
  for (const { traceAddress, transactionPosition } of traces) {
    if (transactionPosition === undefined || transactionPosition === null) continue
    if (traceAddress.length === 0) roots += 1
    // Each belongs to the transaction whose own trace came last.
    if (transactionPosition !== roots - 1) throw new WrongAnswerError('the traces are out of order')
  }
  if (roots !== transactions.length) throw new WrongAnswerError('a transaction has no trace')
  return movesOfFlat(traces, orchestrator)
}
