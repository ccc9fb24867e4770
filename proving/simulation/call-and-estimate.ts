import {
  hex,
  quantity,
  resultAt,
  toQuantity,
  toRpcBlock,
  toRpcCall,
  toRpcOverrides,
  withoutAccessList,
  type Provider,
} from './provider.ts'

/**
 * `eth_call` and `eth_estimateGas` in one batch, which every node has. It returns no logs. Not every node accepts block
 * overrides, its fourth parameter: without them the call runs in the newest block.
 */
export const callAndEstimate: Provider = {
  name: 'rpc-call',
  requests(job, { isPlain }) {
    const overrides = toRpcOverrides(job)
    const block =
      job.block && !isPlain ? { number: toQuantity(job.block.number), ...toRpcBlock(job) } : undefined
    const more = block ? [overrides ?? {}, block] : overrides ? [overrides] : []
    const params = [toRpcCall(job), 'latest', ...more]
    return ['eth_call', 'eth_estimateGas'].map((method) => ({ method, params }))
  },
  read(results, job) {
    // a reverting call is refused, with the reason as the refusal's data
    const returnData = hex.parse(resultAt(results, 0))
    const gasUsed = withoutAccessList(quantity.parse(resultAt(results, 1)), job)
    return { success: true, gasUsed, logs: [], returnData }
  },
}
