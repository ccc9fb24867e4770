import type { Address } from 'viem'
import { RpcRefusal, TransportError, type RpcRequest } from '../../../proving/rpc/json-rpc.ts'
import { WrongAnswerError, type AskOne } from './ask-nodes.ts'
import type { TraceMode, TracingMode } from './block-facts.ts'
import type { NativeMove } from './find-native.ts'
import type { RawBlock } from './raw-block.ts'
import { completeTraces, isTooMuch, traceApart, type TracedMoves, type Tracing } from './trace-apart.ts'
import { isOfChain, readFlat, readFrames } from './read-traces.ts'

/** After this time a node without traces is asked again: it may have been replaced. */
const ASK_AGAIN_MS = 10 * 60_000
const NAMES_METHOD = /method|api|module|namespace|\b(?:trace|debug)_/i
const LACKS = /not (?:available|supported|allowed|enabled|exist|found)|unsupported|upgrade|tier|plan/i

/** The known kind of traces of each node. */
export type TraceModes = Map<string, { mode: TraceMode; learnt: number }>

/** Nodes that have both store Parity's traces, or make them as cheaply; for debug they run the block again. */
const ORDERS: Readonly<Record<TracingMode, readonly TracingMode[]>> = {
  parity: ['parity', 'debug'],
  debug: ['debug', 'parity'],
}

const requestOf = (mode: TracingMode, block: RawBlock): RpcRequest =>
  mode === 'debug'
    ? { method: 'debug_traceBlockByHash', params: [block.hash, { tracer: 'callTracer' }] }
    : { method: 'trace_block', params: [block.number] }

/** True if a node does not offer the method. Failing to trace this one block does not count. */
export const lacksMethod = (error: unknown) =>
  error instanceof RpcRefusal &&
  (error.isMissingMethod || (NAMES_METHOD.test(error.message) && LACKS.test(error.message)))

/** The source of a block's moves of native coins. */
export interface TracedBlock {
  /** `none` where some are unknown. */
  mode: TraceMode
  moves: NativeMove[] | null
  /** Indexes of the chain's own transactions without a trace; absent where there are none. */
  ofChain?: readonly number[]
}

/**
 * Reads the native coins that a block's transactions moved, by a node's traces. Null from a node that has no traces, or none
 * of this block any more. If one method refuses or shows impossible traces, the other is tried; transactions without a trace
 * are traced apart. For a block whose traces are too large, it returns the moves of those transactions whose own traces are
 * not.
 *
 * @param orchestrator Its calls to accounts are their intents.
 * @throws WrongAnswerError when the traces are not this block's; RpcRefusal when the node has traces, but not now.
 */
export async function traceBlock(
  ask: AskOne,
  url: string,
  block: RawBlock,
  modes: TraceModes,
  orchestrator: Address | null = null,
): Promise<TracedBlock> {
  const known = modes.get(url)
  const fresh = known && Date.now() - known.learnt < ASK_AGAIN_MS ? known : null
  if (fresh?.mode === 'none') return { mode: 'none', moves: null }
  let refusal: RpcRefusal | null = null
  let wrong: WrongAnswerError | TransportError | null = null
  let forgot = false
  for (const mode of ORDERS[fresh?.mode ?? 'parity']) {
    try {
      const told = await traceIn({ mode, ask, block, orchestrator })
      if (told === null) {
        forgot = true
        continue
      }
      const { moves, isWhole, ofChain } = told
      const rest = ofChain.length > 0 ? { ofChain } : {}
      if (!isWhole) return { mode: 'none', moves, ...rest }
      if (!forgot && !refusal && !wrong) modes.set(url, { mode, learnt: fresh?.learnt ?? Date.now() })
      return { mode, moves, ...rest }
    } catch (error) {
      if (lacksMethod(error)) continue
      if (error instanceof WrongAnswerError || error instanceof TransportError) wrong ??= error
      else if (!(error instanceof RpcRefusal)) throw error
      else if (!refusal || error.concernsNodeOnly) refusal = error
    }
  }
  if (wrong) throw wrong
  if (refusal) throw refusal
  if (!forgot) modes.set(url, { mode: 'none', learnt: Date.now() })
  return { mode: 'none', moves: null }
}

/** Null where the node has dropped the block's traces. */
async function traceIn(tracing: Tracing): Promise<TracedMoves | null> {
  const { mode, ask, block, orchestrator } = tracing
  try {
    const [answer] = await ask([requestOf(mode, block)])
    if (hasForgotten(mode, answer, block)) return null
    const read =
      mode === 'debug' ? readFrames(answer, block, orchestrator) : readFlat(answer, block, orchestrator)
    if (read.missing.length === 0) return { moves: read.moves, isWhole: true, ofChain: [] }
    return await completeTraces(tracing, read)
  } catch (error) {
    if (isTooMuch(error)) return traceApart(tracing)
    throw error
  }
}

/**
 * True if a node, such as a resumed devnet, has a non-empty block but not its traces. It then returns no trace at all, or
 * only that of a missing transaction.
 */
const hasForgotten = (mode: TracingMode, answer: unknown, { transactions }: RawBlock) =>
  Array.isArray(answer) &&
  (mode === 'parity'
    ? answer.length === 0 && !transactions.every(isOfChain)
    : answer.some(
        (trace: { result?: unknown; error?: unknown } | null) =>
          !trace?.result && /not found/i.test(String(trace?.error)),
      ))
