import { RpcRefusal, type RpcRequest } from '../../proving/simulation/json-rpc.ts'
import { WrongAnswerError, type AskOne } from './ask-nodes.ts'
import type { TraceMode } from './block-facts.ts'
import { movesOfFlat, movesOfFrames, type NativeMove } from './find-native.ts'
import type { RawBlock, RawCallFrame, RawFlatTrace } from './raw-block.ts'

/** A node that lacks traces is asked for them again after so long: it may have been replaced. */
const ASK_AGAIN_MS = 10 * 60_000
const LACKS = /not (?:available|supported|allowed|enabled|exist|found)|unsupported|upgrade|tier|plan/i

/** Which kind of trace each node has, as far as it is known. */
export type TraceModes = Map<string, { mode: TraceMode; learnt: number }>

const requestOf = (mode: 'debug' | 'parity', block: RawBlock): RpcRequest =>
  mode === 'debug'
    ? { method: 'debug_traceBlockByHash', params: [block.hash, { tracer: 'callTracer' }] }
    : { method: 'trace_block', params: [block.number] }

/** True where a node does not offer the method; it may also be unable to for this block alone, which is no lack. */
export const lacksMethod = (error: unknown) =>
  error instanceof RpcRefusal &&
  (error.isMissingMethod || (/method|api|module|namespace/i.test(error.message) && LACKS.test(error.message)))

/** The native coins that a block's transactions moved, from a node that traces; null from one that does not. */
export async function traceBlock(
  ask: AskOne,
  url: string,
  block: RawBlock,
  modes: TraceModes,
): Promise<{ mode: TraceMode; moves: NativeMove[] | null }> {
  const known = modes.get(url)
  const fresh = known && Date.now() - known.learnt < ASK_AGAIN_MS ? known.mode : null
  if (fresh === 'none') return { mode: 'none', moves: null }
  for (const mode of fresh ? [fresh] : (['debug', 'parity'] as const)) {
    try {
      const [answer] = await ask([requestOf(mode, block)])
      if (mode === 'debug' && hasForgotten(answer)) return { mode: 'none', moves: null }
      const moves = mode === 'debug' ? readFrames(answer, block) : readFlat(answer, block)
      modes.set(url, { mode, learnt: fresh ? (known?.learnt ?? 0) : Date.now() })
      return { mode, moves }
    } catch (error) {
      if (!lacksMethod(error)) throw error
    }
  }
  modes.set(url, { mode: 'none', learnt: Date.now() })
  return { mode: 'none', moves: null }
}

/** True where a node says of a transaction alone that it is not there to be traced, as a resumed devnet does. */
const hasForgotten = (answer: unknown) =>
  Array.isArray(answer) &&
  answer.some(
    (trace: { result?: unknown; error?: unknown } | null) =>
      !trace?.result && /not found/i.test(String(trace?.error)),
  )

function readFrames(answer: unknown, { transactions }: RawBlock): NativeMove[] {
  const traces = answer as readonly { result?: RawCallFrame; txHash?: string }[] | null
  if (!Array.isArray(traces) || traces.length !== transactions.length)
    throw new WrongAnswerError('the traces are of another block')
  const frames = transactions.map(({ hash }, index) => {
    const { result, txHash } = traces[index] as { result?: RawCallFrame; txHash?: string }
    if (!result || (txHash !== undefined && txHash !== hash))
      throw new WrongAnswerError('a transaction has no trace')
    return result
  })
  return movesOfFrames(frames)
}

function readFlat(answer: unknown, { hash, transactions }: RawBlock): NativeMove[] {
  const traces = answer as readonly RawFlatTrace[] | null
  if (!Array.isArray(traces) || traces.some(({ blockHash }: RawFlatTrace) => blockHash !== hash))
    throw new WrongAnswerError('the traces are of another block')
  const traced = new Set(traces.map(({ transactionPosition }: RawFlatTrace) => transactionPosition))
  if (transactions.some((_, index) => !traced.has(index)))
    throw new WrongAnswerError('a transaction has no trace')
  return movesOfFlat(traces)
}
