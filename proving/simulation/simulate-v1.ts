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
} from './provider.ts'

const answer = z.tuple([
  z.object({
    number: quantity.optional(),
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

/**
 * `eth_simulateV1` of the execution API. Validation makes the base fee real: without it some nodes simulate with a
 * base fee of 0, whatever the override says. Nodes fill in the nonce, and the caller sees to the sender's balance.
 * The simulated block comes after the newest one; its number is left to the node, which may know a newer block than
 * we do.
 */
export const simulateV1: Provider = {
  name: 'rpc-simulate',
  requests(job, { isPlain, isDated, isNumbered }) {
    const stateOverrides = toRpcOverrides(job)
    const { time, ...block } = toRpcBlock(job) ?? {}
    const number = isNumbered && job.block && toQuantity(job.block.number)
    const blockOverrides = { ...block, ...(isDated && time && { time }), ...(number && { number }) }
    const blockCalls = {
      calls: [toRpcCall(job)],
      ...(stateOverrides && { stateOverrides }),
      ...(job.block && { blockOverrides }),
    }
    const validation = job.fees !== undefined && !isPlain
    return [{ method: 'eth_simulateV1', params: [{ blockStateCalls: [blockCalls], validation }, 'latest'] }]
  },
  read(results, job) {
    const [{ calls }] = answer.parse(resultAt(results, 0))
    const [{ status, returnData, logs, error, ...call }] = calls
    const gasUsed = withoutAccessList(call.gasUsed, job)
    if (status === 1n) return { success: true, gasUsed, logs: logs ?? [], returnData }
    // some nodes list logs of reverted calls: they never happened
    return { success: false, gasUsed, data: returnData, message: error?.message ?? 'execution reverted' }
  },
  standsStill(results, { block }) {
    const [{ number }] = answer.parse(resultAt(results, 0))
    return block !== undefined && number === block.number - 1n
  },
}
