import type { Address } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'
import type { CommonQueryMethods } from 'slonik'
import type { ServiceError } from '../../service-error.ts'
import type { Call } from '../intents/intent.ts'
import type { RunEffects, SimulatedRun } from '../intents/simulated-run.ts'
import type { Recipient } from '../safety/check-recipient.ts'

/** The account's addresses that may fund a quote, by its request; by default all of them. */
export interface RequestedFunders {
  spendableAddresses?: readonly Address[] | undefined
  singleAddress?: Address | null | undefined
  /** The user accepts that exactly these are joined, whatever the origin of their money. */
  acknowledgedProvenanceMix?: readonly Address[] | null | undefined
}

/** The same for a plan. */
export interface FunderFilter extends RequestedFunders {
  /** This address may not fund it. */
  except?: Address | undefined
}

/** Returns the members of a request that say who may fund it. */
export const fundersOf = ({
  spendableAddresses,
  singleAddress,
  acknowledgedProvenanceMix,
}: RequestedFunders): RequestedFunders => ({ spendableAddresses, singleAddress, acknowledgedProvenanceMix })

/** Part of a quote that one address spends: without the fee, smallest unit of the spent token. */
export interface PaidPart {
  payer: Address
  recipient: Address
  amount: bigint
  /** Position of its intent in the quote, and the number of intents. */
  place: number
  count: number
}

/** Limits of one address's payment, with their errors. */
export interface PartBounds {
  least: bigint
  most: bigint
  tooSmall(): ServiceError
  tooLarge(): ServiceError
}

/** Tokens that the calls of a plan bring to the one address that makes them, which pays from these. */
export interface Brought {
  address: Address
  derivationNonce: number
  /** Smallest unit of the plan's token. */
  amount: bigint
  /** Returns the error for an amount that the fees use up; by default that of a payment. */
  allForFees?(): ServiceError
}

/** The caller of a free quote: it pays no fees, and the service pays for the gas. */
export interface FreeCaller {
  address: Address
  derivationNonce: number
  /** The token sent: one unit, without a holding behind it. */
  token: Token
  /** Most combinedGas of the intent. */
  maxGas: bigint
}

/** Source of the tokens that a quote spends. */
export type PlanFunding =
  /** The account's holdings, selected and reserved. `mayJoin`: several addresses may pay. */
  | { from: 'holdings'; funders: FunderFilter; mayJoin: boolean }
  /** Tokens that the calls bring to the one payer: nothing is selected, nothing is reserved. */
  | ({ from: 'calls' } & Brought)
  /** None: the service pays the gas of the one caller. */
  | ({ from: 'service' } & FreeCaller)

/** The spent token and the calls, for any amount. */
export interface SpendingPlan {
  /** The token that is spent and that pays the fees; the zero address is the native coin. */
  token: Address
  funding: PlanFunding
  /** The calls are made even if they spend nothing of the token; then it pays the fee alone. */
  mayMoveNothing?: true
  /** Limits of each address's payment without fees, smallest unit; absent without limits. */
  bounds?: PartBounds
  /** Returns the share of a part that neither the recipient nor the service gets. */
  vettingOf?(amount: bigint): bigint
  /** Gas that the calls may need in addition when they are mined, beyond the usual variation. */
  extraGas?: bigint
  /** Least gas of each intent, which hides the gas at the moment of the quote. */
  leastGas?: bigint
  /** One token is worth one native coin, so fees need no price. */
  isNativeAtPar: boolean
  /** Plans of one chain with the same key take the same gas. */
  gasKey: string
  /** Run that measures the gas if one with a single unit of the token cannot. Its calls accept any output. */
  trial?: { amount: bigint; calls: SpendingPlan['calls'] }
  /** Starts reading the facts about an address that `calls` needs, beside those that the engine reads. */
  foresee?(payer: Address): void
  /** Returns the calls of one address for its part; the engine adds the call that pays the fee. */
  calls(part: PaidPart): readonly Call[] | Promise<readonly Call[]>
}

/** Returns the holdings that may pay for a plan; none if something else does. */
export const holdingsOf = ({ funding }: SpendingPlan) =>
  funding.from === 'holdings' ? funding : { funders: {} as FunderFilter, mayJoin: false }

/** Plan for the most that can be spent. */
export interface MaxPlan extends SpendingPlan {
  /** Returns an alternative plan to try if these calls fail; absent, or null, without one. */
  otherwise?(): Promise<MaxPlan | null>
}

/** Output of a quote. Amounts in the smallest unit. */
export interface PlannedOutput {
  token: Token
  expected: bigint
  /** Least amount that the recipient gets. */
  minimum: bigint
}

/** The part of a quote that one address pays. */
export interface FundedPart {
  address: Address
  recipient: Address
  /** Amount without the fee, smallest unit of the spent token. */
  amount: bigint
  /** Fee that it pays to the service. */
  fee: bigint
  /** Part of the fee that is not for gas. */
  serviceFee: bigint
  /** Position of its intent in the quote. */
  place: number
}

/** Warnings before signing that only a kind of quote can give. */
export type PlanCaveat =
  | { kind: 'beyond_default_scan' }
  | { kind: 'amounts_linked' }
  /** The account's earlier cash-outs to the same payee. */
  | { kind: 'payee_linked'; earlierCashOuts: number }

/**
 * The runs of a quote's intents that pay its recipient. `first`: later runs would join the payers by their recipient.
 * `none`: the recipient is the account's own. The other runs pay a stand-in, which is equivalent if no code of the
 * recipient runs.
 */
type PaidRuns = 'every' | 'first' | 'none'

/** Plan of a quote. The engine funds, prices, measures, signs and reserves it. */
export interface QuotePlan extends SpendingPlan {
  /** Amount without fees; `max` is everything that can be spent. */
  amount: bigint | 'max'
  /** Decimals of the token as the client knows them. */
  decimals?: number | undefined
  recipient: Recipient
  /**
   * Runs that pay the recipient; in the others, and in their parts, a random address replaces it. By default every run.
   */
  paidIn?: PaidRuns
  /** JSON stored with the quote for its next refresh. */
  details: Readonly<Record<string, unknown>>
  /** Effects that a run of the intents must report. */
  effects: RunEffects
  /**
   * Checks the movements in a run of the intents of these parts.
   * @throws ServiceError when they differ from the request.
   */
  checkRun(run: SimulatedRun, parts: readonly FundedPart[]): void
  /**
   * How to learn the output from a run if the calls do not deliver the planned one; absent if the planned one is
   * certain.
   */
  learning?: Learning
  /** The output changes from block to block, so clients refresh the quote often. */
  isVolatile: boolean
  /** The value of the signed calls may change, so their intents live for minutes, as for volatile quotes. */
  isShortLived?: true
  /** Returns the output for an amount of the token, paid in these parts. */
  outputOf(amount: bigint, token: Token, parts: readonly bigint[]): PlannedOutput
  /** Members that only this kind of quote shows and signs, in wire form. */
  members: Readonly<Record<string, unknown>>
  /** Returns further such members that depend on the payers. */
  membersOf?(parts: readonly FundedPart[]): Readonly<Record<string, unknown>>
  /** Returns warnings about these parts. */
  caveatsOf?(parts: readonly FundedPart[]): readonly PlanCaveat[]
  /**
   * Writes the kind's rows in the transaction that writes the quote.
   * @throws ServiceError when another quote was faster.
   */
  keep?(
    transaction: CommonQueryMethods,
    quote: { quoteId: string; accountId: string },
    parts: readonly FundedPart[],
  ): Promise<void>
  /** Time by the chain's clock after which the calls fail, seconds since 1970. Absent if time does not matter. */
  executeBefore?: number
  /** Returns an alternative plan to try if these calls fail; absent, or null, without one. */
  otherwise?(): Promise<QuotePlan | null>
}

/** Way to learn the output of a plan's calls. */
export interface Learning {
  /** The same plan with calls that accept any output; its `checkRun` records the output of a run. */
  trial: QuotePlan
  /**
   * Returns the plan for the output of the trial.
   * @throws ServiceError when that output is unacceptable.
   */
  settle(): QuotePlan
}

/** Returns which runs of a plain payment need the real recipient. */
export function paidRunsOf({ owned, isPlain }: Recipient): PaidRuns {
  if (owned) return 'none'
  return isPlain ? 'first' : 'every'
}
