import { z } from 'zod'
import { hex, log, quantity, resultAt, toRpcCall, toRpcOverrides, type Provider } from './provider.ts'

const answer = z.tuple([
  z.object({
    calls: z.tuple([
      z.object({
        status: quantity,
        gasUsed: quantity,
        returnData: hex,
        logs: z.array(log).nullish(),
        error: z.object({ message: z.string() }).nullish(),
      }),
    ]),
  }),
])

/** `eth_simulateV1`, part of the execution API that nodes share. */
export const simulateV1: Provider = {
  name: 'rpc-simulate',
  requests(job, block) {
    const stateOverrides = toRpcOverrides(job)
    const blockCalls = { calls: [toRpcCall(job.call)], ...(stateOverrides && { stateOverrides }) }
    return [
      { method: 'eth_simulateV1', params: [{ blockStateCalls: [blockCalls], validation: false }, block] },
    ]
  },
  read(results) {
    const [{ calls }] = answer.parse(resultAt(results, 0))
    const [{ status, gasUsed, returnData, logs, error }] = calls
    if (status === 1n) return { success: true, gasUsed, logs: logs ?? [], returnData }
    // some nodes list the logs of what was reverted: they never happened
    return { success: false, gasUsed, data: returnData, message: error?.message ?? 'execution reverted' }
  },
}
