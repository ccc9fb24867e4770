import { quantity, resultAt, toRpcCall, type Provider } from './provider.ts'

/** `eth_call` and `eth_estimateGas` in one batch, which every node has. It knows no logs. */
export const callAndEstimate: Provider = {
  name: 'rpc-call',
  requests: (call, block) => [
    { method: 'eth_call', params: [toRpcCall(call), block] },
    { method: 'eth_estimateGas', params: [toRpcCall(call), block] },
  ],
  read(results) {
    resultAt(results, 0) // a call that reverts is refused, with the reason as the refusal's data
    return { success: true, gasUsed: quantity.parse(resultAt(results, 1)), logs: [] }
  },
}
