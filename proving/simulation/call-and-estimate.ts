import { hex, quantity, resultAt, toRpcCall, toRpcOverrides, type Provider } from './provider.ts'

/** `eth_call` and `eth_estimateGas` in one batch, which every node has. It knows no logs. */
export const callAndEstimate: Provider = {
  name: 'rpc-call',
  requests(job, block) {
    const overrides = toRpcOverrides(job)
    const params = [toRpcCall(job.call), block, ...(overrides ? [overrides] : [])]
    return ['eth_call', 'eth_estimateGas'].map((method) => ({ method, params }))
  },
  read(results) {
    // a call that reverts is refused, with the reason as the refusal's data
    const returnData = hex.parse(resultAt(results, 0))
    return { success: true, gasUsed: quantity.parse(resultAt(results, 1)), logs: [], returnData }
  },
}
