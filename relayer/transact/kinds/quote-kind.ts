import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import type { QuoteRow } from '../../../db/transact/quotes.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { Collection } from '../../account/collectible/config.ts'
import type { AppRegistry } from '../../account/apps/app-registry.ts'
import type { Addresses } from '../../account/addresses/addresses.ts'
import type { Chain, Chains } from '../../chain/nodes/chain.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { SendingPrice } from '../../chain/nodes/sending-price.ts'
import type { Prices } from '../../market/prices/prices.ts'
import type { ServiceError } from '../../service-error.ts'
import type { Vault } from '../../identity/vault.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { Call } from '../intents/intent.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { PLAIN_EFFECTS, type RunEffects, type SimulatedRun } from '../intents/simulated-run.ts'
import type { RecipientParts, Recipient } from '../safety/check-recipient.ts'
import type { PoolAccess } from '../../pool/state/find-account-pool.ts'
import type { FundedPart, MaxPlan, QuotePlan } from './quote-plan.ts'
import type { Screening } from '../screening/create-screening.ts'

/** Parts that kinds of quotes work with. */
export interface KindParts extends RecipientParts {
  database: CommonQueryMethods
  tokens: Tokens
  prices: Prices
  addresses: Addresses
  apps: AppRegistry
  chains: Chains
  pools: PoolAccess
  screening: Screening
  /** Contracts whose tokens waive fees, and are sent away for free. */
  collections: readonly Collection[]
  proving: ProvingPool
  /** Seals personal data of quotes. */
  vault: Vault
  /** Returns the present price of sending; null while it is unknown. */
  sendingPriceOf(chainId: number): SendingPrice | null
}

/** The requesting account and the chain. */
export interface KindContext extends KindParts {
  accountId: string
  sending: SendingChain
}

/** Members of every request for a quote. */
export interface RequestBase {
  /** Name of the quote's kind. */
  kind: string
  /** Seconds that the funds stay locked; the configured time unless given. */
  ttl?: number | undefined
}

/** Members of requests that name the chain; others name something on it. */
export interface ChainRequest extends RequestBase {
  chainId: number
}

/** Members of every request for the most that can be spent. */
export interface MaxRequestBase {
  kind: string
  chainId: number
  token: Address
  spendableAddresses?: readonly Address[] | undefined
}

/** A quote to be planned again. */
export interface PlannedBefore {
  quoteId: string
  token: Address
  amount: bigint | 'max'
  recipient: Recipient
  /** Details that the plan stored. */
  details: Readonly<Record<string, unknown>>
}

/** A quote as signed: its row, with the calls that the signed document has. */
export interface SignedQuote extends Omit<QuoteRow, 'asked'> {
  recipient: Address
  /** Chain of the intents. */
  chain: Chain
  /** Calls of each intent, as signed. */
  calls: readonly (readonly Call[])[]
  /** Payers of the intents, in the same order. */
  payers: readonly Address[]
  /** Details that the plan stored. */
  details: Readonly<Record<string, unknown>>
}

/** Known code: code that the operator configured and that runs no foreign code. */
export interface KnownCode {
  /** True for a listed token and for the native coin. */
  isToken(token: Address): boolean
  /** True for a call of a contract that the operator named, and for a usual call of a listed token. */
  isCall(call: Call): boolean
}

/**
 * The quote's transactions. `shared`: all intents are in one, beside intents of other accounts. `own`: each intent has one,
 * at a random time, and no query to a node covers two payers, so nothing on the chain joins them; they may end
 * differently.
 */
export type Transport = 'shared' | 'own'

/**
 * The service's charge: gas and its share of the amount, the same at the rate of deposits, gas alone, or nothing. Gas of a
 * free quote counts as unpaid even on success.
 */
export type Charge = 'service' | 'deposit' | 'gas' | 'none'

/** The properties of a kind that determine how its quotes are priced, run and sent. */
export type KindTerms = Pick<QuoteKind<never, never>, 'transport' | 'price' | 'movesOthers'>

/** Display of a quote in the account's activity. */
export interface KindActivity {
  kind: ActivityKind
  /** True to show the quote as a swap; false to show its payments as transfers. */
  isExchange: boolean
}

/**
 * A kind of quote: everything that distinguishes it from others. The engine calls these members and knows no kind by
 * name.
 */
export interface QuoteKind<Request extends RequestBase, MaxRequest extends MaxRequestBase> {
  transport: Transport
  price: Charge
  /**
   * Returns the chain of a request.
   * @throws ServiceError `not-found`, `bad-request` where that which the request names does not exist or fit.
   */
  chainOf(parts: KindParts, accountId: string, request: Request): number | Promise<number>
  /**
   * Checks a request and plans the quote; reserves nothing.
   * @throws ServiceError for an invalid request, or for something that is unavailable now.
   */
  plan(context: KindContext, request: Request): Promise<QuotePlan>
  /** Plans a quote again, for a refresh. */
  planAgain(context: KindContext, before: PlannedBefore): Promise<QuotePlan>
  /** Plans the spending without a recipient, for the most that can be spent. */
  planMax(context: KindContext, request: MaxRequest): Promise<MaxPlan>
  /** Returns the effects that a run reports at submission. */
  submissionEffects(quote: SignedQuote): RunEffects
  /**
   * Checks a run of the signed intents of one transaction at submission.
   * @param parts The parts of these intents.
   * @throws ServiceError when the run differs from the signed terms.
   */
  checkSubmission(run: SimulatedRun, quote: SignedQuote, parts: readonly FundedPart[]): void
  /**
   * Checks facts at submission that may change with time and that no run shows.
   * @throws ServiceError QUOTE_REFRESH_REQUIRED when one has changed; `unavailable` when it cannot be read.
   */
  recheck(chains: Chains, quote: SignedQuote): Promise<void>
  /**
   * True if a third party beside the token and the recipient can make the signed calls fail at the service's cost. Such an
   * intent has its own transaction, and is sent once.
   */
  othersCanFail(quote: SignedQuote): boolean
  /** Returns unknown contracts that the signed calls run, beside the spent token and the recipient. */
  strangersOf(quote: SignedQuote, known: KnownCode): readonly Address[]
  /** Returns the token or recipient if the operator's settings lead to it without naming it. */
  vouchesFor(quote: SignedQuote): readonly Address[]
  /** The calls may also move other assets of the payer, which the kind judges itself. */
  movesOthers: boolean
  /** Returns the addresses beside the recipient that the signed calls reach, for screening at submission. */
  alsoReached(quote: SignedQuote): readonly Address[]
  /**
   * Explains why the signed intents would fail now; null without a specific explanation.
   * @param found `failure`: name or selector of the error. `failed`: payer of the failed intent; null if unknown.
   */
  explainFailure(
    quote: SignedQuote,
    found: { failure: string | null; failed: Address | null },
  ): ServiceError | null
  /** True if the spent token counts as the native coin, unit by unit, in the check of the fee; else a price decides. */
  isNativeAtPar(
    chain: Pick<ChainConfig, 'wrappedNative'>,
    quote: Pick<SignedQuote, 'token' | 'output' | 'details'>,
  ): boolean
  /** The payment is meant for the recipient: if it is a contact of the account, its book notes the time. */
  paysRecipient: boolean
  /**
   * Writes the kind's rows in the transaction that queues the signed intents; null without such rows.
   * @throws ServiceError when the intents may no longer be sent.
   */
  submitted: ((transaction: CommonQueryMethods, quote: SignedQuote) => Promise<void>) | null
  /** @param isOwnRecipient The recipient is an address of the account. */
  activity(isOwnRecipient: boolean): KindActivity
}

/** Members of kinds for which nothing special holds. */
export const usualKind = {
  transport: 'shared',
  price: 'service',
  movesOthers: false,
  chainOf: (_parts: unknown, _accountId: string, { chainId }: ChainRequest) => chainId,
  paysRecipient: false,
  submissionEffects: () => PLAIN_EFFECTS,
  recheck: () => Promise.resolve(),
  othersCanFail: () => false,
  strangersOf: () => [],
  vouchesFor: () => [],
  alsoReached: () => [],
  explainFailure: () => null,
  isNativeAtPar: () => false,
  submitted: null,
} as const satisfies Partial<QuoteKind<never, never>>

/** Names of activities, from the account's view. */
export const ACTIVITY_KINDS = [
  'SEND',
  'RECEIVE',
  'SELF',
  'SWAP',
  'BRIDGE',
  'CROSS_CHAIN_SWAP',
  'POOL_DEPOSIT',
  'POOL_RECOVER',
  'INCOGNITO_SEND',
  'INCOGNITO_SELF_SEND',
  'NFT_WITHDRAW',
  'DAPP_CALL',
] as const
/** Purpose of a transaction for the account. */
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** Kinds whose calls an operator may mark as this service's (`transact.attribution`); never a plain send. */
export const MARKED_KINDS = ['swap'] as const
