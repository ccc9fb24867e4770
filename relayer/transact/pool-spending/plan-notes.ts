import { membersOfToken } from '../../market/errors.ts'
import { type Address, formatUnits } from 'viem'
import { keyOf, tokenIdOf } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import { listCommitments, type PoolCommitment } from '../../pool/notes/list-commitments.ts'
import { stalePools } from '../../pool/relay/find-pool.ts'
import type { RelayTerms } from '../../pool/relay/withdrawals.ts'
import { findAccountPool, type AccountPool } from '../../pool/state/find-account-pool.ts'
import { quoteLockConflict, insufficientBalance, insufficientFundsForFees } from '../errors.ts'
import { readToken } from '../read-token.ts'
import { planSpend, type SpendPart, MAX_NOTES, type SpendableNote, type SpendPlan } from './plan-spend.ts'
import type { SpendingParts } from './spending-parts.ts'
import type { ServiceError } from '../../service-error.ts'
import { withdrawalAmountTooSmall } from '../../pool/relay/errors.ts'
import type { Book } from '../../pool/book/settle-book.ts'

type Pool = AccountPool['pool']

/** Terms of a spend from a pool. */
export interface SpendTerms {
  terms: RelayTerms
  token: Token
  /** Price of a whole token in US dollars; null without one. */
  tokenUsd: bigint | null
}

/**
 * Finds the pool of a token; its state must be of the present head.
 * @throws ServiceError POOL_NOT_FOUND, POOL_STATE_REFRESHING.
 */
export async function findFreshPool(
  parts: SpendingParts,
  accountId: string,
  request: { chainId: number; token: Address },
): Promise<AccountPool> {
  const found = await findAccountPool(parts.accountPools, accountId, request)
  if (!found.pools.isFresh()) throw stalePools(request.chainId)
  return found
}

/** Reads the fees of the relayer, the token of the pool, and its price. */
export async function readSpendTerms(
  parts: SpendingParts,
  { chainId, asset: { asset } }: Pool,
): Promise<SpendTerms> {
  const id = tokenIdOf(chainId, asset)
  const [terms, token, prices] = await Promise.all([
    parts.withdrawals.terms({ chainId, asset }),
    readToken(parts, id),
    parts.prices.read([id]),
  ])
  return { terms, token, tokenUsd: prices.get(keyOf(id))?.usd ?? null }
}

/**
 * Chooses the notes that pay, among those that no other spend has locked.
 * @throws ServiceError QUOTE_LOCK_CONFLICT, INSUFFICIENT_BALANCE, INSUFFICIENT_FUNDS_FOR_FEES,
 * WITHDRAWAL_AMOUNT_TOO_SMALL.
 */
export async function planNotes(
  { database, books }: SpendingParts,
  accountId: string,
  pool: Pool,
  asked: Omit<AskedSpend, 'notes'>,
): Promise<readonly SpendPart<SpendNote>[]> {
  const [{ commitments }, book] = await Promise.all([
    listCommitments({ database, books }, accountId, pool),
    books.read(accountId, pool),
  ])
  const { free, held } = listSpendNotes(commitments, book)
  const plan = planSpend(free, asked.amount, asked.terms)
  if (plan.kind === 'planned') return plan.parts
  const hasEnough =
    held.length > 0 && planSpend([...free, ...held], asked.amount, asked.terms).kind === 'planned'
  throw hasEnough ? quoteLockConflict() : explainPlan(plan, { ...asked, notes: free })
}

/** Request that a plan was made for. */
interface AskedSpend {
  token: Token
  /** Smallest unit. */
  amount: bigint | 'max'
  notes: readonly SpendableNote[]
  terms: RelayTerms
}

/** Explains to clients why notes cannot pay an amount. */
function explainPlan(
  plan: Exclude<SpendPlan<SpendableNote>, { kind: 'planned' }>,
  asked: AskedSpend,
): ServiceError {
  if (plan.kind === 'fees-exceed') return explainFees(plan.maxSendable, asked)
  if (plan.kind === 'too-small') return explainSize(plan, asked)
  const { token } = asked
  return insufficientBalance(`There is not as much approved ${token.symbol} in the pool`, {
    details: { ...membersOfToken(token), available: plan.available },
  })
}

function explainFees(maxSendable: bigint, { token, amount, notes }: AskedSpend): ServiceError {
  const feeEstimate = sumOf(largestOf(notes)) - maxSendable
  const wanted = wantedOf(amount)
  return insufficientFundsForFees(
    `Relay fees leave ${maxSendable} of the ${token.symbol} to be sent, in the smallest unit`,
    {
      details: {
        ...membersOfToken(token),
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
        ...membersOfToken(token),
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

const wantedOf = (amount: bigint | 'max') => (amount === 'max' ? 1n : amount)
const sumOf = (notes: readonly SpendableNote[]) => notes.reduce((sum, { value }) => sum + value, 0n)
const largestOf = (notes: readonly SpendableNote[]) =>
  notes.toSorted((one, other) => (one.value > other.value ? -1 : 1)).slice(0, MAX_NOTES)

/** An approved note of an account, with its original deposit. */
export interface SpendNote extends SpendableNote {
  label: bigint
  withdrawalIndex: number
}

/**
 * Lists the approved notes of an account with a value, separated into free ones and ones that a reported spend holds.
 */
function listSpendNotes(
  commitments: readonly PoolCommitment[],
  { locked }: Book,
): { free: SpendNote[]; held: SpendNote[] } {
  const notes = commitments.flatMap(({ id, label, value, depositIndex, withdrawalIndex, aspStatus }) =>
    label !== null && aspStatus === 'approved' && value > 0n
      ? [{ id, label, value, depositIndex, withdrawalIndex }]
      : [],
  )
  return {
    free: notes.filter(({ label }) => !locked.has(label)),
    held: notes.filter(({ label }) => locked.has(label)),
  }
}
