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
 * `eth_simulateV1`, part of the execution API that nodes share. Validation makes the base fee a real one: without it
 * some nodes run the call with a base fee of 0, whatever the override says. What else it checks is put right: nodes fill
 * in the nonce, and whoever simulates sees to the balance.
 *
 * The block that is simulated comes after the newest one, so its number is left to the node, which may know a newer
 * block than we do; a node that refuses to go back is thus never asked to.
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
    // some nodes list the logs of what was reverted: they never happened
    return { success: false, gasUsed, data: returnData, message: error?.message ?? 'execution reverted' }
  },
  standsStill(results, { block }) {
    const [{ number }] = answer.parse(resultAt(results, 0))
    return block !== undefined && number === block.number - 1n
  },
}
