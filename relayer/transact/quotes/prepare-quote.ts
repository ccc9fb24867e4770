import { tokenIdOf } from '../../market/tokens/token-id.ts'
import type { Token, Tokens } from '../../market/tokens/tokens.ts'
import { readToken } from '../read-token.ts'
import type { TokenRate, SharedFees } from '../fees/network-fee.ts'
import { readServiceFee, type ServiceFeeTerms } from '../fees/service-fee.ts'
import type { SendingChain, SendingChains } from '../intents/sending-chain.ts'
import type { KindTerms, KindParts } from '../kinds/quote-kind.ts'
import { type SpendingPlan, holdingsOf } from '../kinds/quote-plan.ts'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { QuoteSigner } from '../../../proving/signing/quote-signer.ts'
import type { FeeWaivers } from '../../account/fee-waivers/fee-waivers.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import type { QuestionTurns } from '../../chain/nodes/question-turns.ts'
import type { Origin, Provenance, SourceGroup } from '../../account/provenance/provenance.ts'
import type { Indexer } from '../../chain/indexer/indexer.ts'
import type { Prices } from '../../market/prices/prices.ts'
import type { FeePrices } from '../fees/fee-prices.ts'
import type { GasMeasures } from '../fees/measure-gas.ts'
import type { QuotesConfig } from './config.ts'
import { listHolders, type Holder } from './choose-funds.ts'
import type { Screening } from '../screening/create-screening.ts'

/** Facts for everything that an account spends of a token now. */
export interface Prepared {
  kind: KindTerms
  sending: SendingChain
  token: Token
  rate: TokenRate
  terms: ServiceFeeTerms
}

/** The same for a plan, with the addresses that may pay for it. */
export interface PreparedPlan<Plan extends SpendingPlan> extends Prepared {
  plan: Plan
  holders: readonly Holder[]
  /** Groups of holders that may pay together; absent if any may, or if each pays for itself. */
  groupsOf: GroupHolders | undefined
}

/**
 * Reads the facts for a plan, and the addresses that may pay for it.
 * @throws ServiceError `bad-request` FEE_TOKEN_UNPRICED; `unavailable` TOKEN_METADATA_UNAVAILABLE, or while the gas
 * price or the depth of the token's pools is unknown.
 */
export async function preparePlan<Plan extends SpendingPlan>(
  parts: QuoteParts,
  accountId: string,
  of: Pick<Prepared, 'kind' | 'sending'>,
  plan: Plan,
): Promise<PreparedPlan<Plan>> {
  const [prepared, holders] = await Promise.all([
    readTerms(parts, accountId, of, plan),
    listHolders(parts, accountId, of.sending.chainId, plan),
  ])
  const groupsOf = groupHolders(parts.provenance, accountId, { ...prepared, plan }, holders)
  return { ...prepared, plan, holders, groupsOf }
}

/** Terms for recoveries, for apps' calls and for free quotes, which do not use up a waiver. */
const NO_SERVICE_FEE: ServiceFeeTerms = { serviceFeeBps: 0, discountBps: 0, waived: false }

/** Reads the token, its fee rate and the account's terms. */
async function readTerms(
  parts: QuoteParts,
  accountId: string,
  { kind, sending }: Pick<Prepared, 'kind' | 'sending'>,
  { token: address, isNativeAtPar, funding }: SpendingPlan,
): Promise<Prepared> {
  if (funding.from === 'service') {
    const rate = await parts.feePrices.readRate(funding.token, true)
    // The sent item is no money, and there are no fees to price.
    return {
      kind,
      sending,
      token: funding.token,
      rate: { ...rate, tokenUsd: 0n, bookedUsd: 0n },
      terms: NO_SERVICE_FEE,
    }
  }
  const bps = kind.price === 'deposit' ? parts.config.depositFeeBps : parts.config.serviceFeeBps
  const [terms, { token, rate }] = await Promise.all([
    kind.price === 'gas' ? NO_SERVICE_FEE : readServiceFee(parts.feeWaivers, accountId, bps),
    readToken(parts, tokenIdOf(sending.chainId, address)).then(async (token) => ({
      token,
      rate: await parts.feePrices.readRate(token, isNativeAtPar),
    })),
  ])
  return { kind, sending, token, rate, terms }
}

/** Parts of the quotes. */
export interface QuoteParts extends KindParts {
  database: DatabasePool
  chains: Chains
  proving: ProvingPool
  sendingChains: SendingChains
  tokens: Tokens
  prices: Prices
  feePrices: FeePrices
  screening: Screening
  turns: QuestionTurns
  feeWaivers: FeeWaivers
  indexer: Indexer
  signer: QuoteSigner
  /** Caches that quotes share. */
  gas: GasMeasures
  sharedFees: SharedFees
  provenance: Provenance
  /** Writes origins as JSON, in the form of all answers. */
  provenanceWriter: {
    origin(origin: Origin): object
    groups(groups: readonly SourceGroup[]): readonly object[]
  }
  config: QuotesConfig
  /** Reports how many transactions the signers' coins pay for. */
  broadcast: BroadcastEngine
  logger: Logger
}

/** Most addresses whose origins are read, those with the largest funds; the others are joined with none. */
const MOST_GROUPED = 500

/** Reads which addresses may pay together: those of equal groups. Reads once, on the first call. */
export type GroupHolders = () => Promise<ReadonlyMap<Address, string>>

/** Groups the holders of a plan by the origin of their money; undefined if they pay apart. */
export function groupHolders(
  provenance: Provenance,
  accountId: string,
  { token: { chainId, address: token }, kind, plan }: Prepared & { plan: SpendingPlan },
  holders: readonly Holder[],
): GroupHolders | undefined {
  if (!holdingsOf(plan).mayJoin || kind.transport === 'own') return undefined
  let groups: Promise<ReadonlyMap<Address, string>> | undefined
  const read = async () => {
    const richest = holders
      .toSorted((one, other) => (one.free > other.free ? -1 : 1))
      .slice(0, MOST_GROUPED)
      .map(({ address }) => ({ chainId, address, token }))
    const told = await provenance.explainHoldings(accountId, richest)
    const known = new Map(richest.map((holding) => [holding.address, told.of(holding).mixGroup]))
    return new Map(holders.map(({ address }) => [address, known.get(address) ?? `unknown:${address}`]))
  }
  return () => (groups ??= read())
}
