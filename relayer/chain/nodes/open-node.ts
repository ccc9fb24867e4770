import { custom, HttpRequestError, RpcRequestError, TimeoutError, type CustomTransport } from 'viem'
import {
  askTogether,
  cutIntoRequests,
  UnusableAnswerError,
  type Message,
} from '../../../proving/rpc/ask-together.ts'
import { TransportError, type RpcRequest } from '../../../proving/rpc/json-rpc.ts'
import { observeNode } from '../../../proving/rpc/observe-node.ts'
import { isQuestion } from '../../../proving/rpc/rpc-answers.ts'
import { postJson, type PostAnswer } from '../../../proving/rpc/post-json.ts'
import { presentClient } from '../../shares/client.ts'
import type { NodeDiary } from './node-record.ts'
import { OtherChainError, type NodeIdentity } from './node-identity.ts'
import { NODE_TIMEOUT_MS } from './node-ring.ts'

const MAX_ANSWER_BYTES = 10 * 1024 * 1024
/** Longest delay that a node may ask for. */
const LONGEST_PAUSE_SECONDS = 10

type AskedBy = Omit<RpcRequest, 'params'> & Partial<Pick<RpcRequest, 'params'>>

interface Waiting extends Message {
  request: RpcRequest
  account: string | null
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * A viem transport to one node, with the errors of viem's own `http()`: RpcRequestError for a refusal, HttpRequestError and
 * TimeoutError without an answer. Questions of one tick form one JSON-RPC batch; questions of one account about different
 * addresses are in different batches. A transaction travels alone: two of one account must not share a request, and a
 * question beside one could not be asked again. The transport exists because `http()` creates a Request, a Response and web
 * streams for each call, which costs several times the CPU. While the node is silent, requests to it fail at once, as by a
 * timeout. With an identity, it sends nothing to a node of another chain and rejects its answers: they fail as if the node
 * were silent.
 */
export function openNode(
  url: string,
  {
    timeoutMs = NODE_TIMEOUT_MS,
    identity,
    diary,
  }: { timeoutMs?: number; identity?: NodeIdentity; diary?: NodeDiary } = {},
): CustomTransport {
  let waiting: Waiting[] = []
  let lastId = 0
  const silence = createSilence(() => queue({ method: 'eth_chainId', params: [] }))

  function flush(): void {
    const all = waiting
    waiting = []
    const node = { url, timeoutMs, silence, identity, diary }
    const questions = all.filter(({ request: { method } }) => isQuestion(method))
    for (const part of separateSubjects(questions))
      for (const batch of cutIntoRequests(url, part)) void sendBatch(node, batch)
    for (const one of all) if (!isQuestion(one.request.method)) void sendBatch(node, [one])
  }

  function request(asked: AskedBy): Promise<unknown> {
    if (!silence.lasts()) return observeNode(url, [asked], () => queue(asked))
    const { method, params } = asked
    return Promise.reject(new TimeoutError({ url: withoutCredentials(url), body: [{ method, params }] }))
  }

  /** viem omits the params of a call that has none. */
  function queue({ method, params = [] }: AskedBy): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    lastId += 1
    // Serialized here, so that a request that cannot be serialized fails by itself.
    const text = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })
    if (waiting.length === 0) setImmediate(flush)
    const { account } = presentClient()
    waiting.push({ id: lastId, method, request: { method, params }, account, text, resolve, reject })
    return promise
  }

  return custom({ request }, { key: 'http', name: 'HTTP JSON-RPC', retryCount: 0 })
}

interface Node {
  url: string
  timeoutMs: number
  silence: Silence
  identity: NodeIdentity | undefined
  diary: NodeDiary | undefined
}

async function sendBatch(
  { url, timeoutMs, silence, identity, diary }: Node,
  batch: readonly Waiting[],
): Promise<void> {
  const isRepeatable = batch.every(({ method }) => isQuestion(method))
  async function post(body: string): Promise<PostAnswer> {
    const sentAt = performance.now()
    try {
      const answer = await postJson({ url, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES, isRepeatable })
      silence.answered()
      return answer
    } catch (error) {
      if (isTimeout(error)) silence.timedOut(sentAt)
      throw error
    }
  }
  const line = { url, post, accepts: (status: number) => status >= 200 && status <= 299 }
  const sentAt = performance.now()
  let outcomes: Awaited<ReturnType<typeof askTogether>>
  try {
    if (identity && !identity.isConfirmed()) await identity.confirm().catch(forgive)
    outcomes = await askTogether(line, batch)
    const failed = outcomes.find((outcome) => 'failure' in outcome)
    if (failed) diary?.noteFailure(nameFailure(failed.failure))
    else diary?.noteAnswer(performance.now() - sentAt)
    if (failed) identity?.doubt()
    // The call may have opened a connection. An acceptance of a transaction stays true anyway.
    else if (identity && isRepeatable && !identity.isConfirmed()) await identity.confirm()
  } catch (thrown) {
    const cause = thrown instanceof TransportError ? (thrown.cause ?? thrown) : thrown
    identity?.doubt()
    if (!(cause instanceof OtherChainError)) diary?.noteFailure(nameFailure(cause))
    if (isTimeout(cause)) silence.timedOut(sentAt)
    for (const { reject } of batch) reject(readFailure(cause))
    return
  }
  for (const [index, asked] of batch.entries()) {
    const outcome = outcomes[index]
    if (!outcome || 'failure' in outcome) asked.reject(readFailure(outcome?.failure))
    else if (outcome.answer.error) {
      const body = { ...asked.request }
      const { error } = outcome.answer
      asked.reject(new RpcRequestError({ url: withoutCredentials(url), body, error }))
    } else asked.resolve(outcome.answer.result)
  }

  /** A private endpoint may support only the method that accepts transactions. */
  function forgive(error: unknown): void {
    const isTold = error instanceof TransportError && !isTimeout(error.cause)
    if (isRepeatable || !isTold) throw error
  }

  function readFailure(cause: unknown): Error {
    if (isTimeout(cause)) return new TimeoutError({ url: withoutCredentials(url), body: bodyOf(batch) })
    if (cause instanceof UnusableAnswerError) return toHttpError(url, batch, describe(cause.answer))
    if (cause instanceof OtherChainError) return toHttpError(url, batch, { details: cause.message })
    return toHttpError(url, batch, { cause: cause as Error })
  }
}

/** A failure in a few words, without the node's URL. */
function nameFailure(cause: unknown): string {
  if (isTimeout(cause)) return 'no answer in time'
  if (cause instanceof UnusableAnswerError) return `HTTP status ${cause.answer.status}`
  const code = (cause as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'no usable answer'
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError'

type HttpErrorDetails = Omit<ConstructorParameters<typeof HttpRequestError>[0], 'url' | 'body'>

const toHttpError = (url: string, batch: readonly Waiting[], details: HttpErrorDetails) =>
  new HttpRequestError({ url: withoutCredentials(url), body: bodyOf(batch), ...details })

const bodyOf = (batch: readonly Waiting[]) => batch.map(({ request }) => ({ ...request }))

function describe({ status, headers, text }: PostAnswer): HttpErrorDetails {
  const pause = String(headers['retry-after'])
  if (!/^\d{1,9}$/.test(pause)) return { status, details: text.slice(0, 200) }
  // viem's client waits for so many seconds before it asks again.
  const bounded = Math.min(Number(pause), LONGEST_PAUSE_SECONDS)
  return { status, details: text.slice(0, 200), headers: new Headers({ 'retry-after': `${bounded}` }) }
}

function withoutCredentials(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/** Methods whose first parameter is the address that they are about. */
const ABOUT_FIRST = new Set(['eth_getCode', 'eth_getBalance', 'eth_getTransactionCount', 'eth_getStorageAt'])
const WORD = 64
/** Twelve zero bytes, then a value that is no small number. */
const ADDRESS_WORD = /^0{24}(?!0{20})[0-9a-f]{40}$/

/** The addresses that a question is about, in lower case without 0x: not the contract that is called. */
export function subjectsOf({ method, params }: RpcRequest): readonly string[] {
  const [first] = params
  if (ABOUT_FIRST.has(method)) return [bare(first)]
  if (method !== 'eth_call' && method !== 'eth_estimateGas') return []
  const { from, data, input } = first as { from?: unknown; data?: unknown; input?: unknown }
  const text = bare(data ?? input)
  // Calldata begins with a selector; longer data creates a contract and contains no address of an account.
  if (text.length > MOST_CALLDATA) return from === undefined ? [] : [bare(from)]
  const found: string[] = from === undefined ? [] : [bare(from)]
  for (let at = 8; at + WORD <= text.length; at += WORD) {
    const word = text.slice(at, at + WORD)
    if (ADDRESS_WORD.test(word)) found.push(word.slice(24))
  }
  return found
}

const MOST_CALLDATA = 4_096

const bare = (text: unknown) => (typeof text === 'string' ? text.replace(/^0x/, '').toLowerCase() : '')

/** A question and the account that it is asked for; null for the service itself. */
interface Asked {
  account: string | null
  request: RpcRequest
}

/**
 * Partitions questions: no part has questions of one account about different addresses. Questions of several accounts, and
 * those about no address, stay together: there are as many parts as one account has addresses.
 */
export function separateSubjects<One extends Asked>(questions: readonly One[]): readonly (readonly One[])[] {
  const parts: { questions: One[]; subjects: Map<string, ReadonlySet<string>> }[] = []
  for (const question of questions) {
    const { account, request } = question
    const subjects = new Set(account === null ? [] : subjectsOf(request))
    const mayJoin = (present: ReadonlySet<string> | undefined) =>
      !present || subjects.size === 0 || present.isSupersetOf(subjects) || present.isSubsetOf(subjects)
    let part = parts.find((one) => account === null || mayJoin(one.subjects.get(account)))
    if (!part) parts.push((part = { questions: [], subjects: new Map() }))
    part.questions.push(question)
    if (account !== null && subjects.size > 0)
      part.subjects.set(account, subjects.union(part.subjects.get(account) ?? new Set()))
  }
  return parts.map((part) => part.questions)
}

/** Milliseconds between two probes of a silent node. */
const PROBE_EVERY_MS = 1_000

/** Tracks whether a node has stopped answering, so that requests go to other nodes. */
interface Silence {
  /** True while the node counts as silent. Probes it at intervals. */
  lasts(): boolean
  /** Records any answer, errors included. */
  answered(): void
  /** Records that a request sent at `since` (milliseconds of `performance.now()`) timed out. */
  timedOut(since: number): void
}

/**
 * Remembers that a node is silent, because a hanging node would cost each request the whole time limit. A node that answered
 * anything since the request was sent is slow, not silent.
 *
 * @param probe Sends the node a cheap request; rejects when no answer comes in time.
 */
function createSilence(probe: () => Promise<unknown>): Silence {
  let isSilent = false
  let answeredAt = -Infinity
  let probedAt = -Infinity
  let isProbing = false

  function ask(): void {
    if (isProbing || performance.now() - probedAt < PROBE_EVERY_MS) return
    isProbing = true
    probedAt = performance.now()
    probe()
      .then(
        () => (isSilent = false),
        () => undefined,
      )
      .finally(() => (isProbing = false))
  }

  return {
    lasts() {
      if (isSilent) ask()
      return isSilent
    },
    answered() {
      answeredAt = performance.now()
      isSilent = false
    },
    timedOut(since) {
      if (answeredAt >= since) return
      isSilent = true
      ask()
    },
  }
}
