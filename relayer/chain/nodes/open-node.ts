import { custom, HttpRequestError, RpcRequestError, TimeoutError, type CustomTransport } from 'viem'
import {
  asAnswers,
  isQuestion,
  type RpcAnswer,
  type RpcRequest,
} from '../../../proving/simulation/json-rpc.ts'
import { postJson, type PostAnswer } from '../../../proving/simulation/post-json.ts'
import { createSilence, type Silence } from './silent-node.ts'

/** Many nodes refuse larger batches. */
const MAX_BATCH = 200
/** A client's request may need one more question; it still gets an answer within ten seconds. */
const TIMEOUT_MS = 8_000
const MAX_ANSWER_BYTES = 10 * 1024 * 1024
/** A node that says when to come again is believed up to this. */
const LONGEST_PAUSE_SECONDS = 10

interface Waiting {
  id: number
  request: RpcRequest
  text: string
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * A viem transport to one node, with the errors of viem's own `http()`: RpcRequestError for a refusal,
 * HttpRequestError and TimeoutError without an answer. Questions of one tick are one JSON-RPC batch. A transaction travels
 * alone: two of one account must not meet in a request, and what stands beside one could not be asked again. The transport
 * exists because `http()` makes a Request, a Response and web streams of each call, which costs several times the CPU.
 * While the node is silent, requests to it fail at once, as by a timeout.
 */
export function openNode(url: string, timeoutMs = TIMEOUT_MS): CustomTransport {
  let waiting: Waiting[] = []
  let lastId = 0
  const silence = createSilence(() => queue({ method: 'eth_chainId', params: [] }))

  function flush(): void {
    const all = waiting
    waiting = []
    const node = { url, timeoutMs, silence }
    const questions = all.filter(({ request: { method } }) => isQuestion(method))
    for (let start = 0; start < questions.length; start += MAX_BATCH)
      void sendBatch(node, questions.slice(start, start + MAX_BATCH))
    for (const one of all) if (!isQuestion(one.request.method)) void sendBatch(node, [one])
  }

  function request(asked: RpcRequest): Promise<unknown> {
    if (!silence.lasts()) return queue(asked)
    const { method, params } = asked
    return Promise.reject(new TimeoutError({ url: withoutCredentials(url), body: [{ method, params }] }))
  }

  function queue({ method, params }: RpcRequest): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    lastId += 1
    // Serialized here, so that a request that cannot be serialized fails by itself.
    const text = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ id: lastId, request: { method, params }, text, resolve, reject })
    return promise
  }

  return custom({ request }, { key: 'http', name: 'HTTP JSON-RPC', retryCount: 0 })
}

interface Node {
  url: string
  timeoutMs: number
  silence: Silence
}

async function sendBatch({ url, timeoutMs, silence }: Node, batch: readonly Waiting[]): Promise<void> {
  const sentAt = performance.now()
  try {
    const answer = await postJson({
      url,
      body: `[${batch.map(({ text }) => text).join()}]`,
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      isRepeatable: batch.every(({ request }) => isQuestion(request.method)),
    })
    silence.answered()
    if (answer.status < 200 || answer.status > 299) throw toHttpError(url, batch, describe(answer))
    const answers = asAnswers(JSON.parse(answer.text))
    if (!answers) throw toHttpError(url, batch, { details: 'no answers to a batch' })
    settle(url, batch, answers)
  } catch (cause) {
    if (isTimeout(cause)) silence.timedOut(sentAt)
    const error = readFailure(cause)
    for (const { reject } of batch) reject(error)
  }

  function readFailure(cause: unknown): Error {
    if (cause instanceof HttpRequestError) return cause
    if (isTimeout(cause)) return new TimeoutError({ url: withoutCredentials(url), body: bodyOf(batch) })
    return toHttpError(url, batch, { cause: cause as Error })
  }
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError'

/** By id, for a node may answer in any order. */
function settle(url: string, batch: readonly Waiting[], answers: readonly RpcAnswer[]): void {
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  for (const asked of batch) {
    const answer = byId.get(asked.id)
    if (!answer) asked.reject(toHttpError(url, [asked], { details: 'left out of the answer to a batch' }))
    else if (answer.error) {
      const body = { ...asked.request }
      asked.reject(new RpcRequestError({ url: withoutCredentials(url), body, error: answer.error }))
    } else asked.resolve(answer.result)
  }
}

type HttpErrorDetails = Omit<ConstructorParameters<typeof HttpRequestError>[0], 'url' | 'body'>

const toHttpError = (url: string, batch: readonly Waiting[], details: HttpErrorDetails) =>
  new HttpRequestError({ url: withoutCredentials(url), body: bodyOf(batch), ...details })

const bodyOf = (batch: readonly Waiting[]) => batch.map(({ request }) => ({ ...request }))

function describe({ status, headers, text }: PostAnswer): HttpErrorDetails {
  const pause = String(headers['retry-after'])
  if (!/^\d{1,9}$/.test(pause)) return { status, details: text.slice(0, 200) }
  // viem's client waits for so many seconds before it asks again
  const bounded = Math.min(Number(pause), LONGEST_PAUSE_SECONDS)
  return { status, details: text.slice(0, 200), headers: new Headers({ 'retry-after': `${bounded}` }) }
}

function withoutCredentials(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}
