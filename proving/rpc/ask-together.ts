import { asAnswers, isQuestion, type RpcAnswer } from './rpc-answers.ts'
import { AnswerTooLargeError, isConnectionLost, type PostAnswer } from './post-json.ts'

/** Most calls of one batch: the limit of erigon, the strictest client. */
const MOST_TOGETHER = 100
/**
 * Milliseconds after which a node that refused a batch is sent a larger one again: another node may be behind its URL by
 * now.
 */
const RETRY_LARGER_MS = 3_600_000

/** One JSON-RPC call as it is sent; `text` is the whole message with its id. */
export interface Message {
  id: number
  method: string
  text: string
}

/** A node's answer to one message, or the reason why there is none. */
export type Answered = { answer: RpcAnswer } | { failure: Error }

/** The node answered a request, but not its calls. */
export class UnusableAnswerError extends Error {
  override name = 'UnusableAnswerError'
  readonly answer: PostAnswer

  constructor(answer: PostAnswer) {
    super('the node did not answer the calls of a request')
    this.answer = answer
  }
}

/** The means to send one request. */
export interface Line {
  url: string
  post(body: string): Promise<PostAnswer>
  /** True if answers under such an HTTP status count; others are refusals of the whole request. */
  accepts(status: number): boolean
}

/** Batch sizes that each node accepts; every thread learns them for itself. */
const limits = new Map<string, { most: number; refusedAt: number }>()

/** Returns how many calls a node accepts in one request, as far as known. */
function mostTogether(url: string): number {
  const limit = limits.get(url)
  if (!limit) return MOST_TOGETHER
  if (performance.now() - limit.refusedAt < RETRY_LARGER_MS) return limit.most
  limits.delete(url)
  return MOST_TOGETHER
}

function learn(url: string, most: number): void {
  const smallest = Math.max(1, Math.min(most, mostTogether(url)))
  limits.set(url, { most: smallest, refusedAt: performance.now() })
}

/** Splits messages into requests of a size that the node accepts. */
export function cutIntoRequests<One>(url: string, messages: readonly One[]): readonly (readonly One[])[] {
  const size = mostTogether(url)
  const count = Math.ceil(messages.length / size)
  return Array.from({ length: count }, (_, part) => messages.slice(part * size, (part + 1) * size))
}

/**
 * Sends messages to a node in as few HTTP requests as possible; the only place that sends batches. A batch that the node
 * refuses as a whole is sent again in smaller ones, whose size is remembered. A refusal of single calls is their answer. A
 * single call is sent without an array, because some nodes accept none. Never rejects; the outcomes are in the order of the
 * messages.
 */
export async function askTogether(line: Line, messages: readonly Message[]): Promise<readonly Answered[]> {
  const parts = cutIntoRequests(line.url, messages)
  return (await Promise.all(parts.map((part) => askAtOnce(line, part)))).flat()
}

async function askAtOnce(line: Line, messages: readonly Message[]): Promise<readonly Answered[]> {
  const [first] = messages
  if (!first) return []
  const isAlone = messages.length === 1
  const reply = await post(line, isAlone ? first.text : `[${messages.map(({ text }) => text).join()}]`)
  const { answers, failure } = read(line, reply, isAlone)
  const canSplit = !isAlone && messages.every(({ method }) => isQuestion(method))
  if (canSplit && failure !== null) {
    const most = findSize(reply, messages.length)
    if (most !== null) {
      if (!(reply instanceof AnswerTooLargeError)) learn(line.url, most)
      return askInParts(line, messages, most)
    }
    if (mayBeForItsSize(reply)) return askFirstAlone(line, messages)
  }
  if (failure !== null) return messages.map(() => ({ failure }))
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  const cut = canSplit ? messages.filter(({ id }) => isCutOff(byId.get(id))) : []
  const again = new Map(
    (await askInParts(line, cut, Math.max(1, messages.length - cut.length))).map((one, index) => [
      cut[index]?.id,
      one,
    ]),
  )
  return messages.map(({ id }) => {
    const answer = byId.get(id)
    return again.get(id) ?? (answer ? { answer } : { failure: new Error(LEFT_OUT) })
  })
}

const LEFT_OUT = 'the node left a request of a batch unanswered'

async function askInParts(
  line: Line,
  messages: readonly Message[],
  size: number,
): Promise<readonly Answered[]> {
  const parts: Promise<readonly Answered[]>[] = []
  for (let at = 0; at < messages.length; at += size)
    parts.push(askAtOnce(line, messages.slice(at, at + size)))
  return (await Promise.all(parts)).flat()
}

/** The first call alone shows whether the size of the batch was the reason: an unhealthy node refuses that too. */
async function askFirstAlone(line: Line, messages: readonly Message[]): Promise<readonly Answered[]> {
  const first = await askAtOnce(line, messages.slice(0, 1))
  const rest = messages.slice(1)
  if (first[0] && 'failure' in first[0]) return [...first, ...rest.map(() => first[0] as Answered)]
  const most = Math.ceil(messages.length / 2)
  learn(line.url, most)
  return [...first, ...(await askInParts(line, rest, most))]
}

type Reply = PostAnswer | Error

async function post(line: Line, body: string): Promise<Reply> {
  try {
    return await line.post(body)
  } catch (error) {
    return error as Error
  }
}

interface Reading {
  /** Content of the answer, even if the batch is refused. */
  answers: readonly RpcAnswer[]
  /** Set where the answer contains no answers to the calls. */
  failure: Error | null
}

/** An array answers a batch; an object answers a single call, or refuses a batch as a whole. */
function read(line: Line, reply: Reply, isAlone: boolean): Reading {
  if (reply instanceof Error) return { answers: [], failure: reply }
  const body = parse(reply.text)
  const answers = asAnswers(Array.isArray(body) ? body : [body])
  const isWhole = answers !== null && line.accepts(reply.status) && (isAlone || isAnswerToAll(body, reply))
  return { answers: answers ?? [], failure: isWhole ? null : new UnusableAnswerError(reply) }
}

/** Some refuse a batch by an array of one error. */
const isAnswerToAll = (body: unknown, reply: PostAnswer) =>
  Array.isArray(body) && (body.length > 1 || !TOO_MANY.test(reply.text))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Refusals of a batch as a whole by clients and gateways. They are geth "batch too large", erigon "batch limit 100
 * exceeded", besu "exceeds max batch size" and nethermind "Batch size limit exceeded" under status 503. Also jsonrpsee
 * (reth) "The batch request was too large" and "Request is too big", and proxyd "too many RPC calls in batch request".
 * `test/proving/rpc/ask-together.test.ts` has them with their sources.
 */
const TOO_MANY =
  /batch[^"]{0,40}(too (large|big|many)|limit|exceed|not (supported|allowed)|disabled)|(exceed|too many|max)[^"]{0,40}batch|(request|response|body|content|payload)[^"]{0,20}too (large|big)|entity too large/i
/** The number that goes with it: "batch limit 100 exceeded", "Exceeded max limit of 50", "batch size 142 > 20". */
const STATED = /(?:limit|max(?:imum)?|most|up to|>)[^\d"]{0,20}(\d{1,5})/i

/** Returns the size of the batches to send again; null if nothing indicates that the batch was too large. */
function findSize(reply: Reply, sent: number): number | null {
  const half = Math.ceil(sent / 2)
  if (reply instanceof AnswerTooLargeError) return half
  if (reply instanceof Error || isRateLimit(reply)) return null
  if (reply.status !== 413 && !TOO_MANY.test(reply.text)) return null
  const stated = Number(STATED.exec(reply.text.slice(0, 1_000))?.[1] ?? half)
  return stated >= 1 && stated < sent ? stated : half
}

const RATE_LIMIT = /rate.?limit|too many requests|quota|capacity|credits|overload/i
const isRateLimit = ({ status, text }: PostAnswer) =>
  status === 429 || (RATE_LIMIT.test(text) && !/batch/i.test(text))

/** Refusals without a known word: a client that closes the connection (erigon 3), a gateway's page, an error for all. */
function mayBeForItsSize(reply: Reply): boolean {
  if (reply instanceof Error) return isConnectionLost(reply)
  if (isRateLimit(reply) || reply.status === 401) return false
  const body = parse(reply.text)
  return reply.status < 500 || (typeof body === 'object' && body !== null && 'error' in body)
}

/** Calls that a node skips once the answer to their batch is large: geth, and nethermind's MaxBatchResponseBodySize. */
const isCutOff = (answer: RpcAnswer | undefined): boolean =>
  (answer?.error?.code === -32003 && /^response too large/i.test(answer.error.message)) ||
  (answer?.error?.code === -32005 && /batchresponsebodysize/i.test(answer.error.message))
