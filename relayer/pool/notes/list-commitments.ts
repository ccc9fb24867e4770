import type { CommonQueryMethods } from 'slonik'
import { listAccountDeposits, type AccountDeposit } from '../../../db/pool/notes/account-deposits.ts'
import {
  listLiveConversions,
  readHighestIndices,
  type LiveConversion,
  type PoolKey,
} from '../../../db/pool/notes/pool-conversions.ts'
import type { PoolBooks } from '../book/pool-books.ts'
import type { BookNote } from '../book/settle-book.ts'

/** A note of an account that can be spent or recovered, or a deposit on its way. */
export interface PoolCommitment {
  /** The label; of a change note with `-` and its withdrawalIndex; of a deposit on its way its quoteId, `-` and place. */
  id: string
  /** Null for a deposit that was prepared elsewhere. */
  depositIndex: number | null
  /** How many times the deposit was spent from. */
  withdrawalIndex: number
  /** The leaf; null while there is none, or where only the owner of the secrets knows it. */
  commitment: bigint | null
  /** Null while the deposit is on its way. */
  label: bigint | null
  /** In the token's smallest unit. */
  value: bigint
  aspStatus: 'pending' | 'approved' | 'declined' | 'failed'
  /** From where the service knows it: the chain's deposit, what the account settled, or what it told when it spent. */
  known: 'deposit' | 'settled' | 'told'
}

/** What an account has in a pool, as far as the service knows. */
export interface AccountNotes {
  /** By their depositIndex; those without one last. */
  commitments: readonly PoolCommitment[]
  /** One more than the highest depositIndex that is on chain or on its way; 0 without any. */
  nextDepositIndex: number
}

/** What an account's notes are found with. */
export interface AccountNotesParts {
  database: CommonQueryMethods
  books: Pick<PoolBooks, 'read'>
}

/**
 * The notes of an account in a pool: its deposits on chain that were not recovered, what is left of those that the account
 * told it spent from, and its conversions in flight. A note that was spent without telling the service is among them.
 */
export async function listCommitments(
  { database, books }: AccountNotesParts,
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
    // Nothing is left of a note that was spent whole.
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

/** A deposit, or what is left of it as far as the account told. */
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
