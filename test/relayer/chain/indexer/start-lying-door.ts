import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The share of calls in which a proxy misbehaves, and the kinds of faults. */
export interface Faults {
  share: number
  kinds: readonly Fault[]
  /** At most this many of each kind; without limit unless given. */
  times?: number
}
export type Fault =
  | 'silence'
  | 'refusal'
  | 'wrong block'
  | 'missing logs'
  | 'stale'
  | 'no state'
  | 'cut traces'
  | 'forgotten traces'

export const ALL_FAULTS: readonly Fault[] = [
  'silence',
  'refusal',
  'wrong block',
  'missing logs',
  'stale',
  'no state',
  'cut traces',
  'forgotten traces',
]

export interface LyingDoor {
  url: string
  /** The number of its faults so far, by kind. */
  readonly done: Map<Fault, number>
  set(faults: Faults): void
  close(): Promise<void>
}

interface Call {
  id: number
  method: string
  params: unknown[]
}
type Answer = { id: number; result?: unknown; error?: unknown }

/** Starts a proxy before a node that behaves like a load balancer with nodes that fail, lag or disagree. */
export async function startLyingDoor(
  target: string,
  seed = 7,
  /** Methods that the node does not support. */
  lacks: RegExp | null = null,
): Promise<LyingDoor> {
  let faults: Faults = { share: 0, kinds: ALL_FAULTS }
  let state = seed
  const done = new Map<Fault, number>()
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const ask = async (calls: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(target, { method: 'POST', headers, body: JSON.stringify(calls) })).json()
  }

  /** The false answer; the true one if the fault does not apply to the call. */
  async function lie(fault: Fault, { id, method, params }: Call, truth: Answer): Promise<Answer> {
    const [first, full] = params
    const block = truth.result as { number: string; transactions?: unknown[] } | null
    if (fault === 'refusal') return { id, error: { code: -32_005, message: 'daily limit exceeded' } }
    if (fault === 'no state' && /eth_call|eth_getBalance/.test(method))
      return { id, error: { code: -32_000, message: 'missing trie node' } }
    if (fault === 'missing logs' && method === 'eth_getLogs' && Array.isArray(truth.result))
      return { id, result: draw() < 0.5 ? [] : truth.result.slice(0, -1) }
    if (fault === 'cut traces' && /^(?:debug|trace)_.*block/i.test(method) && Array.isArray(truth.result))
      return { id, result: truth.result.slice(1) }
    if (fault === 'forgotten traces' && method === 'trace_block') return { id, result: [] }
    if (fault === 'wrong block' && /eth_getBlockBy/.test(method) && block && first !== 'latest') {
      const number = `0x${(BigInt(block.number) - 1n).toString(16)}`
      return (await ask({
        jsonrpc: '2.0',
        id,
        method: 'eth_getBlockByNumber',
        params: [number, full],
      })) as Answer
    }
    if (fault === 'stale') {
      if (method === 'eth_getLogs') return { id, result: [] }
      if (method === 'eth_getTransactionReceipt') return { id, result: null }
      if (/eth_getBlockBy/.test(method) && first !== 'latest') return { id, result: null }
      if (method === 'eth_getBlockByNumber' && block) {
        const number = `0x${(BigInt(block.number) - 2n).toString(16)}`
        return (await ask({ jsonrpc: '2.0', id, method, params: [number, full] })) as Answer
      }
    }
    return truth
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(Buffer.concat((await incoming.toArray()) as Buffer[]).toString())
    const drawn = draw() < faults.share ? faults.kinds[Math.floor(draw() * faults.kinds.length)] : undefined
    const fault = drawn && (done.get(drawn) ?? 0) < (faults.times ?? Infinity) ? drawn : undefined
    if (fault) done.set(fault, (done.get(fault) ?? 0) + 1)
    // The connection stays open, but nothing is answered.
    if (fault === 'silence') return
    const calls = [body].flat() as Call[]
    const answers = ([await ask(body)].flat() as Answer[]).map((answer) => {
      const { method } = calls.find(({ id }) => id === answer.id) as Call
      if (!lacks?.test(method)) return answer
      return { id: answer.id, error: { code: -32_601, message: `the method ${method} does not exist` } }
    })
    const said = fault
      ? await Promise.all(
          calls.map((call) => lie(fault, call, answers.find(({ id }) => id === call.id) as Answer)),
        )
      : answers
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(Array.isArray(body) ? said : said[0]))
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    done,
    set: (next) => (faults = next),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
