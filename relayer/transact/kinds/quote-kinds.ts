import { SPEND_KINDS, type SpendKind } from '../../pool/book/book-content.ts'
import type { QuoteKind } from './quote-kind.ts'
import type { MaxSpendRequest, SpendRequest } from './spend-request.ts'
import { poolDepositKind } from './pool-deposit/pool-deposit-kind.ts'
import { poolRecoverKind } from './pool-recover/pool-recover-kind.ts'
import { dappCallKind } from './dapp-call/dapp-call-kind.ts'
import { nftWithdrawKind } from './nft-withdraw/nft-withdraw-kind.ts'
import { offrampKind } from './offramp/offramp-kind.ts'
import { offrampWithdrawKind } from './offramp-withdraw/offramp-withdraw-kind.ts'
import { sendKind } from './send/send-kind.ts'
import { swapKind } from './swap/swap-kind.ts'

/** Every kind of quote that the service sends, by its name in requests and rows. */
const kinds = {
  send: sendKind,
  swap: swapKind,
  pool_deposit: poolDepositKind,
  pool_recover: poolRecoverKind,
  nft_withdraw: nftWithdrawKind,
  dapp_call: dappCallKind,
  offramp: offrampKind,
  offramp_withdraw: offrampWithdrawKind,
}

type Kinds = (typeof kinds)[keyof typeof kinds]
/** A request for a quote that the service sends. */
export type SentRequest = Parameters<Kinds['plan']>[1]
/** The same for the most that can be spent. */
export type MaxSentRequest = Parameters<Kinds['planMax']>[1]
/** Any request for a quote. */
export type QuoteRequest = SentRequest | SpendRequest
/** Any request for the most that can be spent. */
export type MaxRequest = MaxSentRequest | MaxSpendRequest

/** True for a request for a quote that the wallet sends itself; the others are the service's. */
export const isOfWallet = <Request extends { kind: string }>(
  request: Request,
): request is Extract<Request, { kind: SpendKind }> =>
  (SPEND_KINDS as readonly string[]).includes(request.kind)

const byName = new Map<string, QuoteKind<SentRequest, MaxSentRequest>>(Object.entries(kinds))

/**
 * Finds a kind by its name.
 * @throws Error for an unknown name: requests are validated before, and rows refer to known kinds.
 */
export function kindOf(name: string): QuoteKind<SentRequest, MaxSentRequest> {
  const kind = byName.get(name)
  if (!kind) throw new Error(`no kind of quote is named ${name}`)
  return kind
}
