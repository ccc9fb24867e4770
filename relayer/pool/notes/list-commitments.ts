import { listAccountDeposits, type AccountDeposit } from '../../../db/pool/notes/account-deposits.ts'
import {
  listLiveConversions,
  readHighestIndices,
  type LiveConversion,
  type PoolKey,
} from '../../../db/pool/notes/pool-conversions.ts'
import type { NoteSources } from '../book/pool-books.ts'
import type { BookNote } from '../book/settle-book.ts'

/** A note of an account that can be spent or recovered, or a pending deposit. */
export interface PoolCommitment {
  /**
   * The label; for a change note followed by `-` and its withdrawalIndex. For a pending deposit its quoteId, `-` and
   * place.
   */
  id: string
  /** Null for a deposit that was prepared elsewhere. */
  depositIndex: number | null
  /** Number of spends from the deposit. */
  withdrawalIndex: number
  /** The leaf; null if there is none yet, or if only the owner of the secrets knows it. */
  commitment: bigint | null
  /** Null while the deposit is pending. */
  label: bigint | null
  /** In the token's smallest unit. */
  value: bigint
  aspStatus: 'pending' | 'approved' | 'declined' | 'failed'
  /** The service's source of it: the chain's deposit, the account's settlement, or its reported spend. */
  known: 'deposit' | 'settled' | 'told'
}

/** An account's notes in a pool, as far as the service knows. */
export interface AccountNotes {
  /** Sorted by depositIndex; those without one last. */
  commitments: readonly PoolCommitment[]
  /** One more than the highest depositIndex on chain or pending; 0 without any. */
  nextDepositIndex: number
}

/**
 * Lists the notes of an account in a pool: deposits that were not recovered, remainders after reported or settled
 * spends, and pending conversions. A note that was spent without a report is among them.
 */
export async function listCommitments(
  { database, books }: NoteSources,
  accountId: string,
  pool: PoolKey,
): Promise<AccountNotes> {
  const [deposits, conversions, { highest }, { notes }] = await Promise.all([
    listAccountDeposits(database, accountId, pool),
    listLiveConversions(database, accountId, pool),
    readHighestIndices(database, accountId, pool),
    books.read(accountId, pool),
  ])
  const commitments = [
    // A note that was spent whole has no remainder.
    ...deposits
      .map((deposit) => ofDeposit(deposit, notes.get(deposit.label)))
      .filter(({ value }) => value > 0n),
    ...conversions.filter(({ isDeposited }) => !isDeposited).map(ofConversion),
  ]
  return {
    commitments: commitments.toSorted(byDepositIndex),
    nextDepositIndex: highest === null ? 0 : highest + 1,
  }
}

/** Returns a deposit, or its remainder after reported or settled spends. */
function ofDeposit(deposit: AccountDeposit, change: BookNote | undefined): PoolCommitment {
  const { label, commitment, value, standing: aspStatus, depositIndex } = deposit
  if (!change)
    return {
      id: String(label),
      depositIndex,
      withdrawalIndex: 0,
      commitment,
      label,
      value,
      aspStatus,
      known: 'deposit',
    }
  return { id: `${label}-${change.withdrawalIndex}`, depositIndex, aspStatus, ...change }
}

function ofConversion({ quoteId, place, depositIndex, net }: LiveConversion): PoolCommitment {
  return {
    id: `${quoteId}-${place}`,
    depositIndex,
    withdrawalIndex: 0,
    commitment: null,
    label: null,
    value: net,
    aspStatus: 'pending',
    known: 'deposit',
  }
}

const byDepositIndex = (one: PoolCommitment, other: PoolCommitment): number =>
  (one.depositIndex ?? Infinity) - (other.depositIndex ?? Infinity) || 0
