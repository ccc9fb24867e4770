import { BaseError, RpcRequestError } from 'viem'

/**
 * What a node meant when it did not take a transaction:
 * - `known`: it has it already.
 * - `nonce-taken`: the account is past this nonce.
 * - `outbid`: another transaction of this nonce waits there at a price too high to replace.
 * - `market`: the price is below what the node takes now.
 * - `funds`: the account cannot pay.
 * - `busy`: not now: full pool, per-account limit, an earlier nonce is missing.
 * - `invalid`: no node will ever take it.
 * - `unknown`: a refusal that we have not met before.
 */
export type Refusal = 'known' | 'nonce-taken' | 'outbid' | 'market' | 'funds' | 'busy' | 'invalid' | 'unknown'

export type SendOutcome =
  | { status: 'accepted' }
  | { status: 'refused'; refusal: Exclude<Refusal, 'known'>; message: string }
  /** No answer: it may have arrived. */
  | { status: 'unclear'; message: string }
  /** No connection: it cannot have arrived. */
  | { status: 'unreachable'; message: string }

/** Messages of geth, erigon, nethermind, reth, besu and anvil; the first match counts. */
const MESSAGES: readonly (readonly [RegExp, Refusal])[] = [
  [/already known|already imported|\bknown transaction|alreadyknown|same hash|already exists/i, 'known'],
  [/nonce (is )?too low|oldnonce|nonce already used|invalid nonce.*expected.*higher/i, 'nonce-taken'],
  [/replacement|could not replace|another transaction with same nonce|conflicting ?type/i, 'outbid'],
  [/higher than max ?fee|tip above fee cap/i, 'invalid'],
  [
    /underpriced|fee ?too ?low|less than block base fee|below (current )?(base ?fee|configured minimum)|tip needed|price (is )?too low/i,
    'market',
  ],
  [/insufficient ?funds|upfront cost exceeds|overshot|insufficient balance/i, 'funds'],
  [
    /pool is full|limit exceeded for (account|sender)|in-flight transaction limit|already reserved|nonce ?(is )?too ?(high|far)|nonce ?gap|gapped|future nonce|lower nonce exists|queued limit/i,
    'busy',
  ],
  [/intrinsic ?gas|floor data gas|gas ?limit|gas too (high|low)|out of gas/i, 'invalid'],
  [
    /initcode|oversized|too large|not supported|invalid sender|failedtoresolvesender|chain ?id|replay-protected|rlp|decode|senderiscontract|int256overflow|exceeds the configured cap/i,
    'invalid',
  ],
]

export function classifyMessage(message: string): Refusal {
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown'
}

/** JSON-RPC codes by which a node, or a proxy before it, says nothing about the transaction: internal error, limits, method missing. */
const NO_VERDICT = new Set([-32603, -32005, -32601, 429])
const NEVER_ARRIVED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Reads the error of an eth_sendRawTransaction. A refusal that is about the nonce is never taken for a dead node, nor the other way round. */
export function classifySendError(error: unknown): SendOutcome {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (!(answer instanceof RpcRequestError)) {
    const message = error instanceof BaseError ? error.shortMessage : String(error)
    return { status: neverArrived(error) ? 'unreachable' : 'unclear', message }
  }
  const message = answer.details
  const refusal = classifyMessage(message)
  if (refusal === 'known') return { status: 'accepted' }
  if (refusal === 'unknown' && NO_VERDICT.has(answer.code)) return { status: 'unclear', message }
  return { status: 'refused', refusal, message }
}

function neverArrived(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && NEVER_ARRIVED.has(cause.code)) return true
  return false
}
