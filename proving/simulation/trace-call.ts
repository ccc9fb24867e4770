import { z } from 'zod'
import {
  hex,
  log,
  quantity,
  resultAt,
  toQuantity,
  toRpcBlock,
  toRpcCall,
  toRpcOverrides,
  withoutAccessList,
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

/**
 * `debug_traceCall` with go-ethereum's call tracer, which others have adopted. By default it runs the call in the newest
 * block, not in the one after it.
 */
export const traceCall: Provider = {
  name: 'rpc-trace',
  requests(job, { isPlain }) {
    const stateOverrides = toRpcOverrides(job)
    const options = {
      tracer: 'callTracer',
      tracerConfig: { withLog: true },
      ...(stateOverrides && { stateOverrides }),
      ...(job.block &&
        !isPlain && { blockOverrides: { number: toQuantity(job.block.number), ...toRpcBlock(job) } }),
    }
    return [{ method: 'debug_traceCall', params: [toRpcCall(job), 'latest', options] }]
  },
  read(results, job) {
    const top = frame.parse(resultAt(results, 0))
    const { error, output } = top
    const gasUsed = withoutAccessList(top.gasUsed, job)
    if (error) return { success: false, gasUsed, data: output ?? '0x', message: error }
    return { success: true, gasUsed, logs: collectLogs(top), returnData: output ?? '0x' }
  },
}
