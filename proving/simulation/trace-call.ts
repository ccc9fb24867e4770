import { z } from 'zod'
import {
  hex,
  log,
  quantity,
  resultAt,
  toRpcCall,
  toRpcOverrides,
  type Provider,
  type SimulatedLog,
} from './provider.ts'

const frame = z.object({
  gasUsed: quantity,
  output: hex.nullish(),
  error: z.string().nullish(),
  logs: z.array(log.extend({ position: quantity.default(0n) })).nullish(),
  get calls() {
    return z.array(frame).nullish()
  },
})
type Frame = z.output<typeof frame>

/** Logs in the order in which they were emitted: a log's position counts the calls of its frame that came before. */
function collectLogs({ error, logs, calls }: Frame): SimulatedLog[] {
  if (error) return [] // with its frame, everything below was reverted
  const own = logs ?? []
  const between = (count: number) =>
    own
      .filter(({ position }) => position === BigInt(count))
      .map(({ address, topics, data }) => ({ address, topics, data }))
  const frames = calls ?? []
  return [
    ...frames.flatMap((call, index) => [...between(index), ...collectLogs(call)]),
    ...between(frames.length),
  ]
}

/** `debug_traceCall` with the call tracer that go-ethereum made and others took over. */
export const traceCall: Provider = {
  name: 'rpc-trace',
  requests(job, block) {
    const stateOverrides = toRpcOverrides(job)
    const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } }
    const params = [toRpcCall(job.call), block, { ...tracer, ...(stateOverrides && { stateOverrides }) }]
    return [{ method: 'debug_traceCall', params }]
  },
  read(results) {
    const top = frame.parse(resultAt(results, 0))
    const { gasUsed, error, output } = top
    if (error) return { success: false, gasUsed, data: output ?? '0x', message: error }
    return { success: true, gasUsed, logs: collectLogs(top), returnData: output ?? '0x' }
  },
}
