import type { Address } from 'viem'
import type { AccountNotes } from '../notes/list-commitments.ts'
import type { NoteSettlement } from '../notes/settle-notes.ts'
import type { CrowdStep } from './crowd.ts'
import type { AnswerPart } from '../../packed-text.ts'

/** Which pool: the zero address is the native coin. */
export interface PoolQuery {
  chainId: number
  token: Address
}

/** What of a pool's state is asked for: from how many items on. Nothing of that is what a client has already. */
export interface PoolStateQuery extends PoolQuery {
  /** Leaves of the state tree that the client has. */
  fromIndex?: number | undefined
  /** Spent notes that it has. */
  fromSpent?: number | undefined
  /** Labels of the association set that it has. */
  aspFromIndex?: number | undefined
}

/** A list of a pool's state: items as JSON with commas between them, in parts. */
export interface StateList {
  count: number
  parts(): Promise<readonly AnswerPart[]>
}

/** All that a client needs to find its notes in a pool and to prove that it may spend them. */
export interface PoolStateAnswer {
  /** From the state tree's first leaf on, or from `fromIndex`. Decimal text. */
  leaves: StateList
  currentRoot: bigint
  treeSize: number
  /** The root after `fromIndex` leaves: another than the client's means that a reorg took leaves back. Null for none. */
  prefixRoot: bigint | null
  /** Labels in the order of the provider's tree, decimal text. */
  aspLeaves: StateList
  /** What all labels hash to, and the Entrypoint's latest root; null while it has none. */
  aspRoot: bigint | null
  spentNullifiers: StateList
  ragequits: StateList
  crowd: readonly CrowdStep[]
  notes: AccountNotes
  /** Text that differs whenever the answer to the same question does. */
  version: string
  /** Whether it is so long that it counts as a whole answer. */
  isWhole: boolean
}

/** The pools as accounts see them. */
export interface AccountPools {
  /**
   * The account's notes in a pool.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, POOL_NOT_FOUND; `unavailable` POOL_STATE_REFRESHING.
   */
  readNotes(accountId: string, query: PoolQuery): Promise<AccountNotes>
  /**
   * Writes down what is left of deposits that the account spent from without telling, and answers its notes then.
   *
   * @throws ServiceError as {@link AccountPools.readNotes}, and as {@link import('../notes/settle-notes.ts').settleNotes}.
   */
  settle(accountId: string, query: PoolQuery, settlements: readonly NoteSettlement[]): Promise<AccountNotes>
  /**
   * A pool's state. It is complete, and its roots are those of the chain.
   *
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, POOL_NOT_FOUND, BAD_REQUEST for indices beyond the lists;
   * `unavailable` POOL_STATE_REFRESHING while what is known does not agree with the chain.
   */
  readState(accountId: string, query: PoolStateQuery): Promise<PoolStateAnswer>
}
