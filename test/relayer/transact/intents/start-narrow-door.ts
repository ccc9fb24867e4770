import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Call {
  id: number
  method: string
  params: [{ fromBlock: string; toBlock: string }]
}

export interface NarrowDoor {
  url: string
  /** How many blocks it lags behind from now on: it omits their logs without an error. */
  lag(blocks: bigint): void
  close(): Promise<void>
}

/** A proxy in front of a node that limits the blocks of a question for logs, as many providers do. */
export async function startNarrowDoor(target: string, maxBlocks: bigint): Promise<NarrowDoor> {
  let behind = 0n
  const ask = async (calls: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body: JSON.stringify(calls) })
    return (await answer.json()) as { result: unknown }
  }
  async function answerOne(call: Call): Promise<unknown> {
    const { id, method, params } = call
    const { result } = await ask({ jsonrpc: '2.0', id, method: 'eth_blockNumber', params: [] })
    const head = BigInt(result as string) - behind
    if (method === 'eth_getBlockByNumber') {
      const [number] = params as unknown as [string]
      if (number.startsWith('0x') && BigInt(number) > head) return { jsonrpc: '2.0', id, result: null }
    }
    if (method !== 'eth_getLogs') return ask(call)
    const [{ fromBlock, toBlock }] = params
    const to = toBlock === 'latest' || BigInt(toBlock) > head ? head : BigInt(toBlock)
    if (to - BigInt(fromBlock) + 1n > maxBlocks)
      return { jsonrpc: '2.0', id, error: { code: -32_602, message: `more than ${maxBlocks} blocks` } }
    if (to < BigInt(fromBlock)) return { jsonrpc: '2.0', id, result: [] }
    return ask({ ...call, params: [{ ...params[0], toBlock: `0x${to.toString(16)}` }] })
  }
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = (await json(incoming)) as Call | Call[]
      const answer = Array.isArray(body) ? await Promise.all(body.map(answerOne)) : await answerOne(body)
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lag: (blocks) => (behind = blocks),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
