import { toHex, type Address, type Hex } from 'viem'

/**
 * Sends the request of a program without a library to the node: the plain call, or its trace with logs. @throws Error when
 * it fails.
 */
export async function askNode(
  rpcUrl: string,
  method: 'eth_call' | 'debug_traceCall',
  { from, to, data, value, gas }: { from: Address; to: Address; data: Hex; value: bigint; gas: bigint },
): Promise<unknown> {
  const call = { from, to, data, value: toHex(value), gas: toHex(gas) }
  const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } }
  const params = method === 'eth_call' ? [call, 'pending'] : [call, 'pending', tracer]
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
