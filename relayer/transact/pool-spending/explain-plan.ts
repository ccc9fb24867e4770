import type { ServiceError } from '../../service-error.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import { formatUnits } from 'viem'
import { withdrawalAmountTooSmall } from '../../pool/relay/errors.ts'
import type { RelayTerms } from '../../pool/relay/withdrawals.ts'
import { insufficientBalance, insufficientFundsForFees } from '../errors.ts'
import { MAX_NOTES, type SpendableNote, type SpendPlan } from './plan-spend.ts'

/** Request that a plan was made for. */
export interface AskedSpend {
  token: Token
  /** Smallest unit. */
  amount: bigint | 'max'
  notes: readonly SpendableNote[]
  terms: RelayTerms
}

/** Explains to clients why notes cannot pay an amount. */
export function explainPlan(
  plan: Exclude<SpendPlan<SpendableNote>, { kind: 'planned' }>,
  asked: AskedSpend,
): ServiceError {
  if (plan.kind === 'fees-exceed') return explainFees(plan.maxSendable, asked)
  if (plan.kind === 'too-small') return explainSize(plan, asked)
  const { token } = asked
  return insufficientBalance(`There is not as much approved ${token.symbol} in the pool`, {
    details: { ...tokenMembers(token), available: plan.available },
  })
}

function explainFees(maxSendable: bigint, { token, amount, notes }: AskedSpend): ServiceError {
  const feeEstimate = sumOf(largestOf(notes)) - maxSendable
  const wanted = wantedOf(amount)
  return insufficientFundsForFees(
    `Relay fees leave ${maxSendable} of the ${token.symbol} to be sent, in the smallest unit`,
    {
      details: {
        ...tokenMembers(token),
        maxSendable,
        feeEstimate,
        required: wanted + feeEstimate,
        shortfall: wanted - maxSendable,
        spendableCount: Math.min(MAX_NOTES, notes.length),
        maxInputs: MAX_NOTES,
      },
    },
  )
}

function explainSize(
  { minAmount, maxSendable }: { minAmount: bigint | null; maxSendable: bigint },
  { token, amount, notes, terms }: AskedSpend,
): ServiceError {
  const { symbol, decimals } = token
  const selected = largestOf(notes)
  const wanted = wantedOf(amount)
  const required = terms.feeBps(wanted)
  const least = minAmount === null ? null : formatUnits(minAmount, decimals)
  return withdrawalAmountTooSmall(
    least === null
      ? `No amount of ${symbol} is large enough for the fee of a relay`
      : `At least ${least} ${symbol} has to arrive of each note`,
    {
      details: {
        ...tokenMembers(token),
        ...(least !== null && { minAmount: least }),
        maxSendable: formatUnits(maxSendable, decimals),
        selectedAmount: String(sumOf(selected)),
        selectedCount: selected.length,
        relayFee: String((wanted * required) / 10_000n),
        feeLimit: String((wanted * terms.maxFeeBps) / 10_000n),
        maxRelayFeeBPS: Number(terms.maxFeeBps),
        requiredRelayFeeBPS: required,
      },
    },
  )
}

const tokenMembers = ({ symbol, address, decimals }: Token) => ({
  tokenSymbol: symbol,
  tokenAddress: address,
  tokenDecimals: decimals,
})
const wantedOf = (amount: bigint | 'max') => (amount === 'max' ? 1n : amount)
const sumOf = (notes: readonly SpendableNote[]) => notes.reduce((sum, { value }) => sum + value, 0n)
const largestOf = (notes: readonly SpendableNote[]) =>
  notes.toSorted((one, other) => (one.value > other.value ? -1 : 1)).slice(0, MAX_NOTES)
