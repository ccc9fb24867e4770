import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
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
import type { RunEffects } from '../intents/run-effects.ts'
import type { SimulatedRun } from '../intents/simulated-run.ts'
import type { RecipientParts } from '../safety/check-recipient.ts'
import type { AccountPoolParts } from '../../pool/state/find-account-pool.ts'
import type { Screening } from '../screening/screening.ts'
import type { Recipient } from '../safety/recipient.ts'
import type { ActivityKind } from './activity-kinds.ts'
import type { FundedPart, MaxPlan, QuotePlan } from './quote-plan.ts'

/** What kinds of quotes work with. */
export interface KindParts extends RecipientParts {
  database: CommonQueryMethods
  tokens: Pick<Tokens, 'find' | 'learnMany'>
  prices: Pick<Prices, 'read'>
  addresses: Pick<Addresses, 'issue'>
  apps: Pick<AppRegistry, 'demand'>
  chains: Chains
  pools: AccountPoolParts
  screening: Screening
  /** Contracts whose tokens waive fees, and are sent away for free. */
  collections: readonly Collection[]
  proving: Pick<ProvingPool, 'verify'>
  /** Keeps what a quote knows of people. */
  vault: Pick<Vault, 'seal' | 'open'>
  /** The present price of sending; null while it is unknown. */
  sendingPriceOf(chainId: number): SendingPrice | null
}

/** Who asks, and on which chain. */
export interface KindContext extends KindParts {
  accountId: string
  sending: SendingChain
}

/** What every request for a quote says. */
export interface RequestBase {
  /** Name of the quote's kind. */
  kind: string
  chainId: number
  /** Seconds that the funds stay locked; as configured unless given. */
  ttl: number | undefined
}

/** What every question for the most that can be spent says. */
export interface MaxRequestBase {
  kind: string
  chainId: number
  token: Address
  spendableAddresses: readonly Address[] | undefined
}

/** A quote that is to be planned again. */
export interface PlannedBefore {
  quoteId: string
  token: Address
  amount: bigint | 'max'
  recipient: Recipient
  /** What the plan kept. */
  details: Readonly<Record<string, unknown>>
}

/** A quote as it was signed. */
export interface SignedQuote {
  id: string
  accountId: string
  token: Address
  recipient: Address
  /** Spent without fees, smallest unit. */
  amount: bigint
  /** Where it is sent. */
  chain: Pick<Chain, 'config'>
  /** What each of its intents calls, as it was signed. */
  calls: readonly (readonly Call[])[]
  /** Whose intents these are. */
  payers: readonly Address[]
  /** What comes out and the least of it, smallest unit; null where it is what was spent. */
  output: { token: Address; expected: bigint; minimum: bigint } | null
  /** What the plan kept. */
  details: Readonly<Record<string, unknown>>
  /** Milliseconds since it was quoted. */
  ageMs: number
}

/** Code that the operator knows and that runs no strangers' code. */
export interface KnownCode {
  /** A listed token, or the native coin. */
  isToken(token: Address): boolean
  /** A call of a contract that the operator named, or a usual call of a listed token. */
  isCall(call: Call): boolean
}

/** What a kind may ask when a quote is submitted. */
export type RecheckParts = Pick<KindParts, 'chains'>

/** How the account's activity shows a quote. */
export interface QuoteActivity {
  kind: ActivityKind
  /** What was given for what is shown as a swap; else the payments are shown as transfers. */
  isExchange: boolean
}

/** A kind of quote: all that distinguishes it from others. The engine dispatches to it and knows none by name. */
export interface QuoteKind<Request extends RequestBase, MaxRequest extends MaxRequestBase> {
  /**
   * Each of its intents has a transaction of its own, and goes out at a random time: nothing on chain joins its addresses.
   * They may end differently.
   */
  alone?: boolean
  /**
   * Checks a request and says what is to be done; reserves nothing.
   * @throws ServiceError what the client asked wrong, or what is not available now.
   */
  plan(context: KindContext, request: Request): Promise<QuotePlan>
  /** The same again, for a refresh. */
  planAgain(context: KindContext, before: PlannedBefore): Promise<QuotePlan>
  /** What would be spent and how, whoever is paid: for the most that can be spent. */
  planMax(context: KindContext, request: MaxRequest): Promise<MaxPlan>
  /** The effects that a run reports at submission; absent where the balances of the spent token are enough. */
  submissionEffects?(quote: SignedQuote): RunEffects
  /**
   * Checks a run of the signed intents of one transaction when they are submitted.
   * @param parts Of these intents.
   * @throws ServiceError when it is not what was signed.
   */
  checkSubmission(run: SimulatedRun, quote: SignedQuote, parts: readonly FundedPart[]): void
  /**
   * Checks when it is submitted what time may have changed and no run tells; absent where there is no such thing.
   * @throws ServiceError QUOTE_REFRESH_REQUIRED where it is so; `unavailable` where one cannot tell.
   */
  recheck?(parts: RecheckParts, quote: SignedQuote): Promise<void>
  /**
   * Whether a third party can make the signed calls fail once we pay for gas; absent where only the token or the recipient
   * could. Such an intent has its own transaction, and is sent once.
   */
  othersCanFail?(quote: SignedQuote): boolean
  /**
   * Unknown contracts that the signed calls run; absent where there are none beside the spent token and the recipient.
   */
  strangersOf?(quote: SignedQuote, known: KnownCode): readonly Address[]
  /** The token or recipient, if the operator's settings lead to it without naming it; absent where there are none. */
  vouchesFor?(quote: SignedQuote): readonly Address[]
  /** Its calls may also move other assets of the payer, which the kind judges itself. */
  movesOthers?: true
  /** Whom the signed calls reach beside the recipient, to be screened when it is submitted; absent where nobody. */
  alsoReached?(quote: SignedQuote): readonly Address[]
  /**
   * Nothing is paid for its gas: what it takes counts as unpaid even where it succeeds, and no price of gas makes a quote too
   * old.
   */
  isFree?: true
  /**
   * What it means that the signed intents would fail now; absent, or null, where that is all that can be said.
   * @param found `failure`: name or selector of the error. `failed`: whose intent failed; null where it is not known.
   */
  explainFailure?(
    quote: SignedQuote,
    found: { failure: string | null; failed: Address | null },
  ): ServiceError | null
  /**
   * Whether what was spent is worth as many native coins, unit by unit, as the fee was reckoned; absent where a price
   * decides.
   */
  isNativeAtPar?(
    chain: Pick<ChainConfig, 'wrappedNative'>,
    quote: Pick<SignedQuote, 'token' | 'output' | 'details'>,
  ): boolean
  /** The recipient is paid for himself: where he is a contact of the account, its book notes when. */
  paysRecipient?: true
  /**
   * In the transaction that queues the signed intents; absent where nothing is to be written with them.
   * @throws ServiceError when they may not be sent any more.
   */
  submitted?(transaction: CommonQueryMethods, quote: SignedQuote): Promise<void>
  /** @param isOwnRecipient The recipient is an address of the account. */
  activity(isOwnRecipient: boolean): QuoteActivity
}
