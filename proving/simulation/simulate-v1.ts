import { z } from 'zod'
import { hex, log, quantity, resultAt, toRpcCall, type Provider } from './provider.ts'

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
  requests: (call, block) => [
    {
      method: 'eth_simulateV1',
      params: [{ blockStateCalls: [{ calls: [toRpcCall(call)] }], validation: false }, block],
    },
  ],
  read(results) {
    const [{ calls }] = answer.parse(resultAt(results, 0))
    const [{ status, gasUsed, returnData, logs, error }] = calls
    if (status === 1n) return { success: true, gasUsed, logs: logs ?? [] }
    // some nodes list the logs of what was reverted: they never happened
    return { success: false, gasUsed, data: returnData, message: error?.message ?? 'execution reverted' }
  },
}
