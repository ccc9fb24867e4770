import type { QuoteKind } from './quote-kind.ts'
import { poolDepositKind } from './pool-deposit/pool-deposit-kind.ts'
import { poolRecoverKind } from './pool-recover/pool-recover-kind.ts'
import { dappCallKind } from './dapp-call/dapp-call-kind.ts'
import { nftWithdrawKind } from './nft-withdraw/nft-withdraw-kind.ts'
import { offrampKind } from './offramp/offramp-kind.ts'
import { offrampWithdrawKind } from './offramp-withdraw/offramp-withdraw-kind.ts'
import { sendKind } from './send/send-kind.ts'
import { swapKind } from './swap/swap-kind.ts'

/** Every kind of quote, by its name in requests and rows. */
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
/** Any request for a quote. */
export type QuoteRequest = Parameters<Kinds['plan']>[1]
/** Any request for the most that can be spent. */
export type MaxRequest = Parameters<Kinds['planMax']>[1]

const byName = new Map<string, QuoteKind<QuoteRequest, MaxRequest>>(Object.entries(kinds))

/**
 * Finds a kind by its name.
 * @throws Error for an unknown name: requests are validated before, and rows refer to known kinds.
 */
export function kindOf(name: string): QuoteKind<QuoteRequest, MaxRequest> {
  const kind = byName.get(name)
  if (!kind) throw new Error(`no kind of quote is named ${name}`)
  return kind
}
