import type { Address } from 'viem'
import { RpcRefusal, type RpcRequest } from '../../../proving/simulation/json-rpc.ts'
import type { AskOne } from './ask-nodes.ts'
import type { TraceMode, TracingMode } from './block-facts.ts'
import type { NativeMove } from './find-native.ts'
import type { RawBlock } from './raw-block.ts'
import { isTooMuch, traceApart } from './trace-apart.ts'
import { readFlat, readFrames } from './read-traces.ts'

/** After this time a node without traces is asked again: it may have been replaced. */
const ASK_AGAIN_MS = 10 * 60_000
const NAMES_METHOD = /method|api|module|namespace|\b(?:trace|debug)_/i
const LACKS = /not (?:available|supported|allowed|enabled|exist|found)|unsupported|upgrade|tier|plan/i

/** Which kind of trace each node has, as far as it is known. */
export type TraceModes = Map<string, { mode: TraceMode; learnt: number }>

/** Nodes that have both keep Parity's traces, or make them as cheaply; for debug they run the block again. */
const ORDERS: Readonly<Record<TracingMode, readonly TracingMode[]>> = {
  parity: ['parity', 'debug'],
  debug: ['debug', 'parity'],
}

const requestOf = (mode: TracingMode, block: RawBlock): RpcRequest =>
  mode === 'debug'
    ? { method: 'debug_traceBlockByHash', params: [block.hash, { tracer: 'callTracer' }] }
    : { method: 'trace_block', params: [block.number] }

/** Whether a node does not offer the method. Being unable to trace this one block does not count. */
export const lacksMethod = (error: unknown) =>
  error instanceof RpcRefusal &&
  (error.isMissingMethod || (NAMES_METHOD.test(error.message) && LACKS.test(error.message)))

/**
 * The native coins that a block's transactions moved, by a node's traces; null from a node that has no traces, or
 * none of this block any more. A refusal of one method makes it try the other. A block whose traces are too large
 * gets the moves of those transactions whose own traces are not.
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
): Promise<{ mode: TraceMode; moves: NativeMove[] | null }> {
  const known = modes.get(url)
  const fresh = known && Date.now() - known.learnt < ASK_AGAIN_MS ? known : null
  if (fresh?.mode === 'none') return { mode: 'none', moves: null }
  let refusal: RpcRefusal | null = null
  let forgot = false
  for (const mode of ORDERS[fresh?.mode ?? 'parity']) {
    try {
      const told = await traceIn(mode, ask, block, orchestrator)
      if (told === null) {
        forgot = true
        continue
      }
      if (!told.isWhole) return { mode: 'none', moves: told.moves }
      if (!forgot && !refusal) modes.set(url, { mode, learnt: fresh?.learnt ?? Date.now() })
      return { mode, moves: told.moves }
    } catch (error) {
      if (lacksMethod(error)) continue
      if (!(error instanceof RpcRefusal)) throw error
      if (!refusal || error.concernsNodeOnly) refusal = error
    }
  }
  if (refusal) throw refusal
  if (!forgot) modes.set(url, { mode: 'none', learnt: Date.now() })
  return { mode: 'none', moves: null }
}

/** Null where the node has forgotten the block's traces; not whole where it has too much to tell. */
async function traceIn(mode: TracingMode, ask: AskOne, block: RawBlock, orchestrator: Address | null) {
  try {
    const [answer] = await ask([requestOf(mode, block)])
    if (hasForgotten(mode, answer)) return null
    const moves =
      mode === 'debug' ? readFrames(answer, block, orchestrator) : readFlat(answer, block, orchestrator)
    return { moves, isWhole: true }
  } catch (error) {
    if (isTooMuch(error)) return traceApart(ask, block, mode, orchestrator)
    throw error
  }
}

/**
 * Whether a node has a non-empty block but not its traces, as a resumed devnet: no trace at all, or only that of a
 * missing transaction.
 */
const hasForgotten = (mode: TracingMode, answer: unknown) =>
  Array.isArray(answer) &&
  (mode === 'parity'
    ? answer.length === 0
    : answer.some(
        (trace: { result?: unknown; error?: unknown } | null) =>
          !trace?.result && /not found/i.test(String(trace?.error)),
      ))
