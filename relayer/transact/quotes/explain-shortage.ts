import { membersOfToken } from '../../market/errors.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { ServiceError } from '../../service-error.ts'
import { largestAmountWithin, serviceFeeOf, type ServiceFeeTerms } from '../fees/service-fee.ts'
import type { SpendingPlan } from '../kinds/quote-plan.ts'
import { type Candidate, type SelectionRules, type Selection, findMostFundable } from './select-funds.ts'
import { insufficientBalance, insufficientFundsForFees, provenanceMix, quoteLockConflict } from '../errors.ts'

/** A candidate, with its funds locked by quotes. */
export interface LockedCandidate extends Candidate {
  locked: bigint
}

/** A quote that cannot be funded. Amounts in the token's smallest unit. */
export interface Shortage {
  token: Token
  /** The requested amount. */
  amount: bigint
  candidates: readonly LockedCandidate[]
  terms: ServiceFeeTerms
  rules: SelectionRules
  plan: SpendingPlan
}

/**
 * Explains why an amount cannot be funded. INSUFFICIENT_BALANCE: the holdings are smaller. QUOTE_LOCK_CONFLICT: other
 * quotes hold the funds. Otherwise INSUFFICIENT_FUNDS_FOR_FEES.
 */
export function explainShortage({ token, amount, candidates, terms, rules, plan }: Shortage): ServiceError {
  const free = candidates.reduce((sum, candidate) => sum + candidate.free, 0n)
  const locked = candidates.reduce((sum, candidate) => sum + candidate.locked, 0n)
  const ofToken = membersOfToken(token)
  if (free + locked < amount)
    return insufficientBalance(`There is not as much ${token.symbol}`, {
      details: { available: free, ...ofToken },
    })
  const unlocked = candidates.map((candidate) => ({ ...candidate, free: candidate.free + candidate.locked }))
  const otherwise = largestAmountWithin(findMostFundable(unlocked, rules).net, terms)
  if (locked > 0n && otherwise >= amount) return quoteLockConflict()

  const most = findMostFundable(candidates, rules)
  const spendable = largestAmountWithin(most.net, terms)
  const maxSendable = worthOf(spendable, plan)
  const feeEstimate =
    costOf(most.inputs.length > 0 ? most.inputs : cheapest(candidates)) + serviceFeeOf(amount, terms)
  return insufficientFundsForFees(
    `Fees leave ${maxSendable} of the ${token.symbol} to be sent, in the smallest unit`,
    {
      details: {
        ...ofToken,
        maxSendable: maxSendable,
        feeEstimate: feeEstimate,
        required: amount + feeEstimate,
        shortfall: amount - spendable,
        spendableCount: most.inputs.length,
        maxInputs: rules.maxInputs,
        feePaymentOptions: [
          {
            token: token.address,
            symbol: token.symbol,
            decimals: token.decimals,
            available: free,
            maxSpendable: maxSendable,
            feeEstimate: feeEstimate,
          },
        ],
      },
    },
  )
}

/**
 * Creates the PROVENANCE_MIX error for addresses that suffice only if they are joined.
 * @param maxSendable Most that can be paid without joining them, smallest unit.
 */
export const explainMix = ({ inputs }: Selection, maxSendable: bigint): ServiceError =>
  provenanceMix(`Paying this joins ${inputs.length} addresses whose money comes from different origins`, {
    details: { addresses: inputs.map(({ address }) => address), maxSendable },
  })

/** Returns the output of an amount; zero if the amount is too small. */
export function worthOf(amount: bigint, { bounds, vettingOf }: SpendingPlan): bigint {
  if (bounds && amount < bounds.least) return 0n
  return amount - (vettingOf?.(amount) ?? 0n)
}

const costOf = (inputs: readonly Candidate[]) => inputs.reduce((sum, { cost }) => sum + cost, 0n)

function cheapest(candidates: readonly Candidate[]): Candidate[] {
  const [first] = candidates.toSorted((one, other) => (one.cost < other.cost ? -1 : 1))
  return first ? [first] : []
}
