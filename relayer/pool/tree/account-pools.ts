import type { Address } from 'viem'
import type { AccountNotes } from '../notes/list-commitments.ts'
import type { NoteSettlement } from '../notes/settle-notes.ts'
import type { CrowdStep } from './verified-states.ts'
import type { AnswerPart } from '../../packed-text.ts'

/** Names a pool by its token: the zero address is the native coin. */
export interface PoolQuery {
  chainId: number
  token: Address
}

/** A query of a pool's state. Each index skips the items that the client has already. */
export interface PoolStateQuery extends PoolQuery {
  /** Leaves of the state tree that the client has. */
  fromIndex?: number | undefined
  /** Spent notes that the client has. */
  fromSpent?: number | undefined
  /** Labels of the association set that the client has. */
  aspFromIndex?: number | undefined
}

/** A list of a pool's state: items as JSON with commas between them, in parts. */
export interface StateList {
  count: number
  parts(): Promise<readonly AnswerPart[]>
}

/** Everything that a client needs to find its notes in a pool and to prove that it may spend them. */
export interface PoolStateAnswer {
  /** The state tree's leaves from the first one, or from `fromIndex`. Decimal text. */
  leaves: StateList
  currentRoot: bigint
  treeSize: number
  /**
   * The root after `fromIndex` leaves; a difference from the client's root means that a reorg removed leaves. Null
   * without leaves.
   */
  prefixRoot: bigint | null
  /** Labels in the order of the provider's tree, decimal text. */
  aspLeaves: StateList
  /** The root of all labels, which is the Entrypoint's latest; null while it has none. */
  aspRoot: bigint | null
  spentNullifiers: StateList
  ragequits: StateList
  crowd: readonly CrowdStep[]
  notes: AccountNotes
  /** Differs whenever the answer to the same query does. */
  version: string
  /** True if it is so long that it counts as a whole answer. */
  isWhole: boolean
}

/** The pools as accounts see them. */
export interface AccountPools {
  /**
   * Reads the account's notes in a pool.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, POOL_NOT_FOUND; `unavailable` POOL_STATE_REFRESHING.
   */
  readNotes(accountId: string, query: PoolQuery): Promise<AccountNotes>
  /**
   * Records the remainders of deposits after unreported spends, and returns the account's notes.
   *
   * @throws ServiceError as {@link AccountPools.readNotes}, and as {@link
   * import('../notes/settle-notes.ts').settleNotes}.
   */
  settle(accountId: string, query: PoolQuery, settlements: readonly NoteSettlement[]): Promise<AccountNotes>
  /**
   * Reads a pool's state. It is complete, and its roots are those of the chain.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, POOL_NOT_FOUND, BAD_REQUEST for indices beyond the lists;
   * `unavailable` POOL_STATE_REFRESHING while the stored state differs from the chain.
   */
  readState(accountId: string, query: PoolStateQuery): Promise<PoolStateAnswer>
}
