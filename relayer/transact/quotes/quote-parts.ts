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
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { Indexer } from '../../chain/indexer/indexer.ts'
import type { Prices } from '../../market/prices/prices.ts'
import type { FeePrices } from '../fees/fee-prices.ts'
import type { Screening } from '../screening/screening.ts'
import type { QuotesConfig } from './config.ts'
import type { KindParts } from '../kinds/quote-kind.ts'
import type { IntentDomains } from '../intents/intent-domains.ts'

/** Parts of the quotes. */
export interface QuoteParts extends KindParts {
  database: DatabasePool
  chains: Chains
  proving: Pick<ProvingPool, 'simulate' | 'verify'>
  domains: IntentDomains
  tokens: Pick<Tokens, 'find' | 'learnMany' | 'findMany'>
  prices: Prices
  feePrices: FeePrices
  screening: Screening
  turns: QuestionTurns
  feeWaivers: FeeWaivers
  indexer: Pick<Indexer, 'onChanged'>
  signer: QuoteSigner
  provenance: Pick<Provenance, 'explainHoldings'>
  /** Writes origins as JSON, in the form of all answers. */
  provenanceWriter: {
    origin(origin: Origin): object
    groups(groups: readonly SourceGroup[]): readonly object[]
  }
  config: QuotesConfig
  /** Reports how many transactions the signers' coins pay for. */
  broadcast: Pick<BroadcastEngine, 'runway'>
  /** Returns the address that receives a chain's fees. */
  feeReceiverOf(chainId: number): Address
  logger: Logger
}
