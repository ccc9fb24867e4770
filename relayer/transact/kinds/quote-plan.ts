import type { Address } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'
import type { CommonQueryMethods } from 'slonik'
import type { ServiceError } from '../../service-error.ts'
import type { Call } from '../intents/intent.ts'
import type { RunEffects } from '../intents/run-effects.ts'
import type { SimulatedRun } from '../intents/simulated-run.ts'
import type { Recipient } from '../safety/recipient.ts'

/** Which of an account's addresses may fund a quote; all of them unless something is said. */
export interface FunderFilter {
  spendableAddresses?: readonly Address[] | undefined
  singleAddress?: Address | undefined
  /** This one may not. */
  except?: Address | undefined
  /** The user accepts that just these are joined, wherever their money comes from. */
  acknowledgedProvenanceMix?: readonly Address[] | undefined
}

/** What one address spends: without the fee, smallest unit of the spent token. */
export interface PaidPart {
  payer: Address
  recipient: Address
  amount: bigint
  /** Of its intent in the quote, and how many intents there are. */
  place: number
  count: number
}

/** Limits of what one address pays, with the errors that say so. */
export interface PartBounds {
  least: bigint
  most: bigint
  tooSmall(): ServiceError
  tooLarge(): ServiceError
}

/** What the calls of a plan bring to the one address that makes them, and pays from it. */
export interface Brought {
  address: Address
  derivationNonce: number
  /** Smallest unit of the plan's token. */
  amount: bigint
}

/** Who makes the calls of a quote for which nothing is paid: no fees, and the service pays for the gas. */
export interface FreeCaller {
  address: Address
  derivationNonce: number
  /** What is sent: one unit of it, which no holding of a token backs. */
  token: Token
  /** Most combinedGas of the intent. */
  maxGas: bigint
}

/** What is spent and by which calls, whatever the amount. */
export interface SpendingPlan {
  /** What is spent and what the fees are paid in; the zero address is the native coin. */
  token: Address
  funders: FunderFilter
  /**
   * Who pays, out of what the calls bring: no holding is looked for, nothing is reserved, and gas alone is charged. Absent
   * where the account's holdings pay.
   */
  brings?: Brought
  /** Who calls where nothing is paid: no holding is looked for, nothing is reserved, no call pays a fee. Absent otherwise. */
  free?: FreeCaller
  /** Several addresses may pay, which links them on chain unless each has a transaction for itself. */
  mayJoin: boolean
  /** Each address pays in a transaction of its own, and no question to a node is about two of them. */
  alone?: true
  /**
   * What the service's share is called, with a rate of its own: the service fee unless said. `gas`: there is none, and the
   * fee is what gas costs.
   */
  fee?: 'deposit' | 'gas'
  /** The calls are made also where they spend nothing of the token, so that the fee alone is paid in it. */
  mayMoveNothing?: true
  /** What each address may pay without fees, smallest unit; absent where it may be anything. */
  bounds?: PartBounds
  /** The calls may also move other assets of the payer, which the kind judges itself. */
  movesOthers?: true
  /** What of a part neither comes out nor goes to us. */
  vettingOf?(amount: bigint): bigint
  /** Gas by which the calls may take more until they are mined, beside what varies anyway. */
  extraGas?: bigint
  /** Gas that each intent is given at least, so that what it takes at the moment of a quote is not public. */
  leastGas?: bigint
  /** One token is one native coin, so fees need no price of it. */
  isNativeAtPar: boolean
  /** Plans of one chain with the same key take the same gas. */
  gasKey: string
  /** What is run to learn the gas where one unit of the token will not do: an amount, and calls that accept any output. */
  trial?: { amount: bigint; calls: SpendingPlan['calls'] }
  /** Begins to read what `calls` will need to know of an address, beside what the engine reads of it. */
  foresee?(payer: Address): void
  /** What one address calls for its part; the engine adds the call that pays the fee. */
  calls(part: PaidPart): readonly Call[] | Promise<readonly Call[]>
}

/** What would be spent for the most that can be. */
export interface MaxPlan extends SpendingPlan {
  /** The same by other calls, to be tried where these fail; absent, or null, where there are none. */
  otherwise?(): Promise<MaxPlan | null>
}

/** What comes out of a quote. Amounts in the smallest unit. */
export interface QuoteOutput {
  token: Token
  expected: bigint
  /** The least that the recipient gets. */
  minimum: bigint
}

/** The part of a quote that one address pays. */
export interface FundedPart {
  address: Address
  recipient: Address
  /** Without the fee, smallest unit of the spent token. */
  amount: bigint
  /** What it pays us. */
  fee: bigint
  /** Of that, the share that is not for gas. */
  serviceFee: bigint
  /** Of its intent in the quote. */
  place: number
}

/** What the user should know before signing that only a kind of quote can tell. */
export type PlanCaveat =
  | { kind: 'beyond_default_scan' }
  | { kind: 'amounts_linked' }
  /** Cash-outs of the account to the same payee before. */
  | { kind: 'payee_linked'; earlierCashOuts: number }

/**
 * Which runs of a quote's intents pay its recipient: the first where its payers may not be joined by whom they pay, none where it
 * is the account's own. Others have a stand-in, which is right where no code of the recipient runs.
 */
export type PaidRuns = 'every' | 'first' | 'none'

/** What a quote is to do. The engine funds, prices, measures, signs and reserves it. */
export interface QuotePlan extends SpendingPlan {
  /** Without fees; `max` is all that can be spent. */
  amount: bigint | 'max'
  /** Decimals of the token as the client knows them. */
  decimals: number | undefined
  recipient: Recipient
  /** Which runs pay the recipient; a random address stands in its place in the others, and in their parts. Every one unless said. */
  paidIn?: PaidRuns
  /** JSON that is kept with the quote for the next refresh. */
  details: Readonly<Record<string, unknown>>
  /** What a run of its intents has to tell. */
  effects: RunEffects
  /**
   * Checks what a run of the intents of these parts moved.
   * @throws ServiceError when it is not what was asked for.
   */
  checkRun(run: SimulatedRun, parts: readonly FundedPart[]): void
  /**
   * Where what comes out shows only in a run: what to do when the calls do not deliver what the plan says.
   */
  learning?: Learning
  /** What comes out changes from block to block, so that clients refresh the quote often. */
  isVolatile: boolean
  /** The value of the signed calls may change, so their intents live for minutes, as for volatile quotes. */
  isShortLived?: true
  /** What comes out of an amount of the token, paid in these parts. */
  outputOf(amount: bigint, token: Token, parts: readonly bigint[]): QuoteOutput
  /** Members that only this kind of quote shows and signs, in wire form. */
  members: Readonly<Record<string, unknown>>
  /** The same where they depend on who pays. */
  membersOf?(parts: readonly FundedPart[]): Readonly<Record<string, unknown>>
  /** What the user should know of just these parts. */
  caveatsOf?(parts: readonly FundedPart[]): readonly PlanCaveat[]
  /**
   * In the transaction that writes the quote: what the kind keeps of it.
   * @throws ServiceError when another quote was faster.
   */
  keep?(
    transaction: CommonQueryMethods,
    quote: { quoteId: string; accountId: string },
    parts: readonly FundedPart[],
  ): Promise<void>
  /** Seconds since 1970 by the chain's clock: what the plan calls fails later. Absent where time does not matter. */
  executeBefore?: number
  /** The same by other calls, to be tried where these fail; absent, or null, where there are none. */
  otherwise?(): Promise<QuotePlan | null>
}

/** How a plan learns what its calls deliver. */
export interface Learning {
  /** The same plan with calls that accept any output; its `checkRun` keeps what a run of them delivered. */
  trial: QuotePlan
  /**
   * The plan for what the trial delivered.
   * @throws ServiceError when nobody should agree to that.
   */
  settle(): QuotePlan
}
