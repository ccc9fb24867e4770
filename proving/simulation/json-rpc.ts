import { AnswerTooLargeError, postJson, type Post } from './post-json.ts'

/** Larger answers are refused: 8 MiB hold more logs than a transaction can pay for. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const LIMIT_EXCEEDED = -32005
const INVALID_PARAMETERS = -32602
const INTERNAL_ERROR = -32603
/** Codes of the execution API. */
const BLOCK_NUMBER_INVALID = -38020
const BLOCK_TIMESTAMP_INVALID = -38021

/** One JSON-RPC call; its id is assigned when it is sent. */
export interface RpcRequest {
  method: string
  params: readonly unknown[]
}

/** The error member of a node's answer. */
export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** One answer of a node, before its result is checked against what the method returns. */
export interface RpcAnswer {
  id: number
  result?: unknown
  error?: RpcError | null
}

/** The answers to a batch; null where one of them is none. By hand: a service asks its nodes all the time. */
export const asAnswers = (body: unknown): readonly RpcAnswer[] | null =>
  Array.isArray(body) && body.every(isAnswer) ? body : null

function isAnswer(one: unknown): one is RpcAnswer {
  if (typeof one !== 'object' || one === null || !('id' in one) || typeof one.id !== 'number') return false
  if (!('error' in one) || one.error === null || one.error === undefined) return true
  const { error } = one
  return (
    typeof error === 'object' &&
    'code' in error &&
    typeof error.code === 'number' &&
    'message' in error &&
    typeof error.message === 'string'
  )
}

/** The node could not be reached or gave no usable answer. */
export class TransportError extends Error {
  override name = 'TransportError'
}

/** The node understood the request and refused it. */
export class RpcRefusal extends Error {
  override name = 'RpcRefusal'
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: RpcError) {
    super(message)
    this.code = code
    this.data = data
  }

  /** True where the node does not offer the method at all. A called contract may say so too, as its reason to revert. */
  get isMissingMethod(): boolean {
    const missing = /method.*(?:not (?:found|supported|available|allowed|exist)|unsupported)/i
    return this.code === -32601 || (!this.isRevert && missing.test(this.message))
  }

  /** True where it is surely the call that failed. */
  get isRevert(): boolean {
    return this.code === 3 || /revert/i.test(this.message)
  }

  /**
   * Whether the refusal may be about the form of the request. A revert or missing funds never count, because a called
   * contract could then provoke simpler requests.
   */
  get isAboutForm(): boolean {
    if (this.isRevert || /insufficient|too low|less than|exceeds|out of gas/i.test(this.message)) return false
    if (this.code === INTERNAL_ERROR) return this.concernsNodeOnly
    return this.code === INVALID_PARAMETERS || /argument|parameter|override|not supported/i.test(this.message)
  }

  /** True where a simulated block would not come after the newest one, which the node knows better (eth_simulateV1). */
  get isOutOfOrder(): boolean {
    return this.code === BLOCK_NUMBER_INVALID || this.code === BLOCK_TIMESTAMP_INVALID
  }

  /** True where another node may well answer. */
  get concernsNodeOnly(): boolean {
    if (this.code === LIMIT_EXCEEDED) return true
    return this.code === INTERNAL_ERROR && !/evm|gas|revert|funds/i.test(this.message)
  }
}

/** Result or refusal of each request, in order. */
export type RpcResults = readonly ({ result: unknown } | { refusal: RpcRefusal })[]

/** Methods that may be sent twice, because they change nothing. */
export const isQuestion = (method: string): boolean =>
  /^(?:eth_(?!send|sign|submit)|debug_trace|trace_|net_|web3_)/.test(method)

async function post(question: Post): Promise<unknown> {
  try {
    const { text } = await postJson(question)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof AnswerTooLargeError) throw new TransportError(error.message, { cause: error })
    throw new TransportError('the node cannot be reached or does not speak JSON', { cause: error })
  }
}

/** Sends the requests in one HTTP round trip (a JSON-RPC batch if there are several) over a kept-alive connection. */
export async function askNode(
  url: string,
  requests: readonly RpcRequest[],
  signal: AbortSignal,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<RpcResults> {
  const messages = requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request }))
  const body = await post({
    url,
    body: JSON.stringify(messages.length === 1 ? messages[0] : messages),
    signal,
    maxBytes,
    isRepeatable: requests.every(({ method }) => isQuestion(method)),
    // Whoever takes more than the usual asks for whole blocks, whose way may be long.
    isPacked: maxBytes > MAX_ANSWER_BYTES,
  })
  const answers = asAnswers(Array.isArray(body) ? body : [body])
  if (!answers) throw new TransportError('the node does not speak JSON-RPC')
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return messages.map(({ id }) => {
    const answer = byId.get(id)
    if (!answer) throw new TransportError('the node left a request of a batch unanswered')
    return answer.error ? { refusal: new RpcRefusal(answer.error) } : { result: answer.result }
  })
}
