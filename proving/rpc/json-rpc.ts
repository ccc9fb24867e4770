import { askTogether, UnusableAnswerError } from './ask-together.ts'
import { observeNode } from './observe-node.ts'
import { AnswerTooLargeError, postJson } from './post-json.ts'
import { isQuestion, type RpcError } from './rpc-answers.ts'

/** Larger answers are refused: 8 MiB hold more logs than a transaction can pay for. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const LIMIT_EXCEEDED = -32005
const INVALID_PARAMETERS = -32602
const INTERNAL_ERROR = -32603
/** Codes of the execution API. */
const BLOCK_NUMBER_INVALID = -38020
const BLOCK_TIMESTAMP_INVALID = -38021

/**
 * The node lacks the block or its state: words of geth, bor, Erigon, Nethermind, Besu, reth and anvil. A reorg may remove
 * the newest block of a request before the node reads it.
 */
const LACKS_BLOCK =
  /\b(?:header|block)\b.{0,90}\bnot found\b|unknown block|BlockOutOfRange|missing trie node|\bstate\b.{0,90}\b(?:unavailable|not available|not found|pruned)\b|no state available/i

/** One JSON-RPC call; its id is assigned when it is sent. */
export interface RpcRequest {
  method: string
  params: readonly unknown[]
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

  /** True where the node does not offer the method at all. A called contract may claim this too, as its reason to revert. */
  get isMissingMethod(): boolean {
    const missing = /method.*(?:not (?:found|supported|available|allowed|exist)|unsupported)/i
    return this.code === -32601 || (!this.isRevert && missing.test(this.message))
  }

  /** True where certainly the call failed. */
  get isRevert(): boolean {
    return this.code === 3 || /revert/i.test(this.message)
  }

  /**
   * True if the refusal may concern the form of the request. A revert or missing funds never count, because a called
   * contract could then provoke simpler requests.
   */
  get isAboutForm(): boolean {
    if (this.lacksBlock) return false
    if (this.isRevert || /insufficient|too low|less than|exceeds|out of gas/i.test(this.message)) return false
    if (this.code === INTERNAL_ERROR) return this.concernsNodeOnly
    return this.code === INVALID_PARAMETERS || /argument|parameter|override|not supported/i.test(this.message)
  }

  /** True where the node lacks the block or its state: the call never ran. */
  get lacksBlock(): boolean {
    return !this.isRevert && LACKS_BLOCK.test(this.message)
  }

  /** True where a simulated block would not come after the newest one, of which the node knows more (eth_simulateV1). */
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

const FAILED = 'the node cannot be reached or does not speak JSON'

function toTransportError(failure: Error): TransportError {
  if (failure instanceof TransportError) return failure
  const isMeant = failure instanceof AnswerTooLargeError || failure instanceof UnusableAnswerError
  return new TransportError(isMeant ? failure.message : FAILED, { cause: failure })
}

/**
 * Sends the requests together over a persistent connection: as one JSON-RPC batch, or as many as the node needs. `signal`
 * limits all of it, `maxBytes` each answer.
 */
export const askNode = (
  url: string,
  requests: readonly RpcRequest[],
  signal: AbortSignal,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<RpcResults> => observeNode(url, requests, () => ask(url, requests, { signal, maxBytes }))

async function ask(
  url: string,
  requests: readonly RpcRequest[],
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<RpcResults> {
  const messages = requests.map((request, id) => ({
    id,
    method: request.method,
    text: JSON.stringify({ jsonrpc: '2.0', id, ...request }),
  }))
  const isRepeatable = requests.every(({ method }) => isQuestion(method))
  const outcomes = await askTogether(
    {
      url,
      // Only reads of whole blocks need more than the usual size, and their answers may travel far.
      post: (body) =>
        postJson({ url, body, signal, maxBytes, isRepeatable, isPacked: maxBytes > MAX_ANSWER_BYTES }),
      // Some nodes refuse single calls under other statuses than 200.
      accepts: () => true,
    },
    messages,
  )
  return outcomes.map((outcome) => {
    if ('failure' in outcome) throw toTransportError(outcome.failure)
    const { error, result } = outcome.answer
    return error ? { refusal: new RpcRefusal(error) } : { result }
  })
}
