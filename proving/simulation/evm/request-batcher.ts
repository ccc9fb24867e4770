import { askNode, type RpcRequest } from '../../rpc/json-rpc.ts'

const TIMEOUT_MS = 3_000

/** Sends a request to one node; throws RpcRefusal or TransportError. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

interface Waiting {
  request: RpcRequest
  resolve(result: unknown): void
  reject(error: unknown): void
}

async function sendBatch(url: string, batch: readonly Waiting[]): Promise<void> {
  const requests = batch.map(({ request }) => request)
  try {
    const results = await askNode(url, requests, AbortSignal.timeout(TIMEOUT_MS))
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = results[index]
      if (answer && 'result' in answer) resolve(answer.result)
      else reject(answer?.refusal)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** Batches the requests of one turn of the event loop. */
export function createRequestBatcher(url: string): Ask {
  let waiting: Waiting[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    void sendBatch(url, batch)
  }

  return (method, params) => {
    if (waiting.length === 0) queueMicrotask(flush)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.push({ request: { method, params }, resolve, reject })
    return promise
  }
}
