import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { Ecdsa } from '../../../proving/signing/ecdsa.ts'
import type { FeeWaivers } from '../../account/fee-waivers/fee-waivers.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import type { QuestionTurns } from '../../chain/nodes/question-turns.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { FeePrices } from '../fees/fee-prices.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'
import type { SendingChains } from '../intents/sending-chain.ts'
import type { SubmissionsConfig } from './config.ts'
import type { QuoteBoard } from './follow-quote.ts'
import type { RecentSimulations } from './simulate-batch.ts'
import type { Screening } from '../screening/create-screening.ts'

/** Parts of the submissions; one plain object for all steps. */
export interface SubmissionParts {
  database: DatabasePool
  chains: Chains
  proving: ProvingPool
  broadcast: BroadcastEngine
  sendingChains: SendingChains
  /** Contracts that execute intents, present and past ones, by chain. */
  orchestrators: ReadonlyMap<number, readonly Address[]>
  ecdsa: Ecdsa
  screening: Screening
  turns: QuestionTurns
  feePrices: FeePrices
  /** Unlisted tokens count as strangers' code. */
  tokens: Pick<Tokens, 'isListed'>
  /** The first submission of a quote whose fee was waived starts the waiver. */
  feeWaivers: FeeWaivers
  /** Budget of gas that recipients who make payments fail may waste. */
  gasBudget: GasBudget
  /** Returns a keyed name of a client's network, the same in all instances. */
  nameNetwork(network: string): string
  /** The service's sending addresses, which never delegate. */
  signers: ReadonlySet<Address>
  board: QuoteBoard
  rehearsals: RecentSimulations
  ownBatches: OwnBatches
  /** Writes submissions of one account one after the other: each is judged by those before it. */
  inTurn<T>(accountId: string, write: () => Promise<T>): Promise<T>
  config: SubmissionsConfig
  logger: Logger
}

/** Name under which batches are in the outbox; their reference is the batch's id. */
export const BATCH_KIND = 'intents'

/** Most batches in memory; the oldest are evicted first. */
const MAX_KNOWN = 1_000

/** Quotes of the batches that this instance wrote; spares its listeners a query for them. */
export class OwnBatches {
  readonly #known = new LRUCache<string, readonly string[]>({ max: MAX_KNOWN })

  note(batchId: string, quoteIds: readonly string[]): void {
    this.#known.set(batchId, quoteIds)
  }

  /** Returns null for a batch of another instance, or an old one. */
  find(batchId: string): readonly string[] | null {
    return this.#known.get(batchId) ?? null
  }
}
