import type { Address } from 'viem'
import { keyOf, tokenIdOf } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import { listCommitments } from '../../pool/notes/list-commitments.ts'
import { stalePools } from '../../pool/relay/find-pool.ts'
import type { RelayTerms } from '../../pool/relay/withdrawals.ts'
import { findAccountPool, type AccountPool } from '../../pool/state/find-account-pool.ts'
import { quoteLockConflict } from '../errors.ts'
import { readToken } from '../read-token.ts'
import { explainPlan, type AskedSpend } from './explain-plan.ts'
import { planSpend, type SpendPart } from './plan-spend.ts'
import { listSpendNotes, type SpendNote } from './spend-notes.ts'
import type { SpendingParts } from './spending-parts.ts'

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
