import { BaseError, RpcRequestError } from 'viem'

/**
 * The meaning of a node's refusal:
 * - `known`: the node already has the transaction.
 * - `nonce-taken`: the account is past this nonce.
 * - `outbid`: another transaction of this nonce is in the pool, at a price too high to replace.
 * - `market`: the price is below the base fee, or below the present minimum of a full pool.
 * - `below-minimum`: the tip or the price is below the node's fixed minimum.
 * - `funds`: the account cannot pay.
 * - `busy`: not now: full pool, per-account limit, an earlier nonce is missing.
 * - `invalid`: no node will ever take it.
 * - `complaint`: the node or its proxy reports on itself (plan, rate, method, backend), not on the transaction.
 * - `unknown`: an unrecognised refusal.
 */
export type SendRefusal =
  | 'known'
  | 'nonce-taken'
  | 'outbid'
  | 'below-minimum'
  | 'market'
  | 'funds'
  | 'busy'
  | 'invalid'
  | 'complaint'
  | 'unknown'

/** A refusal that says something about the transaction. */
export type SendVerdict = Exclude<SendRefusal, 'known' | 'complaint'>

/** The outcome of sending a transaction to a node, as far as its answer shows. */
export type SendOutcome =
  | { status: 'accepted' }
  | { status: 'refused'; refusal: SendVerdict; message: string }
  /** No verdict: it may have arrived. */
  | { status: 'unclear'; message: string }
  /** No connection: it cannot have arrived. */
  | { status: 'unreachable'; message: string }

/**
 * Messages of geth, reth, nethermind, erigon, besu, anvil, OP-stack and Arbitrum nodes and of the proxies before them;
 * the first match counts. Verdicts are whole phrases, because a proxy's complaint uses their words too ("method not
 * supported", "could not decode upstream response"). Complaints come last, because proxies also quote the verdict of
 * the node behind them. test/relayer/chain/broadcast/classify-send-error.test.ts has the real messages and their sources.
 */
const MESSAGES: readonly (readonly [RegExp, SendRefusal])[] = [
  [
    /already ?known|already ?imported|\bknown transaction|same hash|already exists|already in (the )?(mempool|tx ?pool|pool|system|cache)/i,
    'known',
  ],
  [/nonce ?(is )?too ?(high|far)|nonce is too distant|nonce ?gap|gapped|future nonce/i, 'busy'],
  [
    /nonce (is )?too low|oldnonce|nonce already used|^mined$|already finalized|invalid (transaction )?(nonce|sequence)\b/i,
    'nonce-taken',
  ],
  [
    /replacement|could not replace|can't replace|replaced by transaction|(another|other) (transaction|tx) (with|which has) (the )?same nonce|conflicting ?type|ownnoncealreadyused/i,
    'outbid',
  ],
  [
    /(higher than|exceeds) max ?fee|higher than 2\^|tip above fee cap|fee cap exceeded|exceeds the configured cap/i,
    'invalid',
  ],
  [
    /(less|lower) than (the )?(current )?(block )?base ?fee|below (the )?current base ?fee|max ?fee ?per ?gas too low\b|feetoolowtocompete/i,
    'market',
  ],
  [
    /underpriced|fee ?too ?low|(tip|priority ?fee|gas ?price|base ?fee|fee ?per ?gas|fee ?cap|gas ?fee)[^.]{0,60}(below|less than|lower than|too low|at least)|tip needed|minimal gas price|unacceptable gas price|(provided|transaction) fee (is )?(below|less than|lower than) (the )?minimum/i,
    'below-minimum',
  ],
  [
    /insufficient ?funds|upfront cost exceeds|overshot|insufficient balance for (transfer|transaction|gas)|not enough funds for gas|cause overdraft/i,
    'funds',
  ],
  [
    /(pool|queue) (is )?full|tries to replace pending|account limit exceeded|limit exceeded for (account|sender)|in-flight transaction limit|already reserved|lower nonce exists|queued limit|too many transactions in the queue|^spammer$/i,
    'busy',
  ],
  [
    /intrinsic ?gas|floor data gas|exceeds (the )?(block|max)\w* (transaction )?gas limit|gas limit (is )?too (high|low)|gas ?limit ?(exceeded|reached)|current gas limit|gas too (high|low)|\bout of gas\b|gas ?uint(64)? ?overflow/i,
    'invalid',
  ],
  [
    /initcode|oversized|transaction (is )?too (large|big)|(transaction|tx) type|authorization list|(decode|parse) (the )?(raw |signed )*(transaction|tx)\b|\brlp: |rlp ?too ?long|invalid rlp|typed transaction too short/i,
    'invalid',
  ],
  [
    /invalid sender|forbidden sender|sender (is )?not an eoa|senderiscontract|failedtoresolvesender|sender account not authorized|invalid signature|negative value|nonce has max value|int256overflow|marked the transaction as invalid|(invalid|wrong|incorrect) chain ?id|chain ?id (mismatch|does not match|is required|not supported)|replay-protected/i,
    'invalid',
  ],
  [
    /\bmethod\b|eth_sendrawtransaction|free ?-?tier|paid tier|\bplan\b|upgrade|quota|rate.?limit|too many requests|request (rate|count)|requests limited|compute units|capacity|\bcredits?\b|billing|api.?key|unauthori[sz]ed|forbidden|authenticat|access denied|not allowed to access/i,
    'complaint',
  ],
  [
    /upstream|back-?end|gateway|provider|route your request|no (healthy|available) |service unavailable|temporarily (not |un)available|not healthy|too much load|maintenance|failed to forward|sequencer|time[d ]?-? ?out|deadline exceeded|context canceled|connection (refused|reset)|network is unreachable|unexpected eof|sync is still in progress|still syncing|transaction pool not enabled|world state unavailable|too large|too many rpc calls/i,
    'complaint',
  ],
]

/**
 * Classifies a node's error message; `unknown` when no known phrase matches. Exported for its test, which has the messages
 * of nodes that no test can run.
 */
export function classifyMessage(message: string): SendRefusal {
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown'
}

/** JSON-RPC codes that leave no room for a verdict: the method is missing or switched off (geth -32601, besu -32604), or HTTP's rate limit. */
const NEVER_A_VERDICT = new Set([-32601, -32604, 429])
/** Codes that mean nothing by themselves, for nodes give verdicts with them too (besu: -32005 for a gas limit above the block's). */
const NO_VERDICT_ALONE = new Set([-32603, -32005])
const NEVER_ARRIVED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Reads the error of an eth_sendRawTransaction. A refusal about the nonce is never classified as a dead node, nor the other
 * way round.
 */
export function classifySendError(error: unknown): SendOutcome {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (!(answer instanceof RpcRequestError)) {
    const message = error instanceof BaseError ? error.shortMessage : String(error)
    return { status: neverArrived(error) ? 'unreachable' : 'unclear', message }
  }
  const message = answer.details
  const refusal = NEVER_A_VERDICT.has(answer.code) ? 'complaint' : classifyMessage(message)
  if (refusal === 'known') return { status: 'accepted' }
  if (refusal === 'complaint' || (refusal === 'unknown' && NO_VERDICT_ALONE.has(answer.code)))
    return { status: 'unclear', message }
  return { status: 'refused', refusal, message }
}

function neverArrived(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && NEVER_ARRIVED.has(cause.code)) return true
  return false
}
