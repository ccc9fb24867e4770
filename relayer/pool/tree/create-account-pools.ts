import { createHash } from 'node:crypto'
import { readPrefixRoot } from '../../../db/pool/tree/pool-history.ts'
import { badRequest } from '../../errors.ts'
import { poolStateRefreshing } from '../errors.ts'
import type { NoteSources } from '../book/pool-books.ts'
import { listCommitments, type AccountNotes } from '../notes/list-commitments.ts'
import { settleNotes } from '../notes/settle-notes.ts'
import { findAccountPool, type PoolAccess } from '../state/find-account-pool.ts'
import type { Pool } from '../state/pool-state.ts'
import type { AccountPools, PoolStateAnswer, PoolStateQuery, StateList } from './account-pools.ts'
import { countItems, partsFrom, type ListPiece } from './list-column.ts'
import type { PoolHistory } from './pool-histories.ts'
import { createVerifiedStates, type VerifiedState } from './verified-states.ts'

/** Number of items above which an answer counts as whole, whatever index it begins with. */
const MOST_OF_TAIL = 20_000

/** Creates the pools as accounts see them. Parts that are equal for all accounts are cached once in memory. */
export function createAccountPools(access: PoolAccess, notes: NoteSources): AccountPools {
  const { database } = notes
  const states = createVerifiedStates(database)

  async function findPrefixRoot(pool: Pool, history: PoolHistory, leaves: number): Promise<bigint | null> {
    if (leaves === 0 || !history.last) return null
    if (leaves === history.size) return history.last.root
    const root = await readPrefixRoot(database, pool, leaves, history.last)
    if (root === null) throw refreshing(pool)
    return root
  }

  return {
    async readNotes(accountId, query) {
      const { pool } = await findAccountPool(access, accountId, query)
      return listCommitments(notes, accountId, pool)
    },
    async settle(accountId, query, settlements) {
      const { pool } = await findAccountPool(access, accountId, query)
      await settleNotes(notes, accountId, pool, settlements)
      return listCommitments(notes, accountId, pool)
    },
    async readState(accountId, query) {
      const { pool, pools } = await findAccountPool(access, accountId, query)
      const state = await states.read(pools, pool)
      if (!state) throw refreshing(pool)
      const from = demandIndices(query, state)
      const [prefixRoot, commitments] = await Promise.all([
        findPrefixRoot(pool, state.history, from.leaves),
        listCommitments(notes, accountId, pool),
      ])
      return describe(state, from, prefixRoot, commitments)
    },
  }
}

/** The number of items that each list skips. */
interface Beginnings {
  leaves: number
  spent: number
  asp: number
}

function demandIndices(query: PoolStateQuery, { history, asp }: VerifiedState): Beginnings {
  const { fromIndex = 0, fromSpent = 0, aspFromIndex = 0 } = query
  const demand = (name: string, index: number, count: number) => {
    if (index > count)
      throw badRequest(
        `query.${name}: there are ${count} now; ask from a lower index, a reorg may have taken some back`,
      )
  }
  demand('fromIndex', fromIndex, history.size)
  demand('fromSpent', fromSpent, history.spentCount)
  demand('aspFromIndex', aspFromIndex, asp?.size ?? 0)
  return { leaves: fromIndex, spent: fromSpent, asp: aspFromIndex }
}

function describe(
  { history, asp, crowd }: VerifiedState,
  from: Beginnings,
  prefixRoot: bigint | null,
  notes: AccountNotes,
): PoolStateAnswer {
  const lists = {
    leaves: listOf(history.leaves, from.leaves),
    aspLeaves: listOf(asp?.labels ?? [], from.asp),
    spentNullifiers: listOf(history.spent, from.spent),
    ragequits: listOf(history.ragequits, 0),
  }
  const currentRoot = history.last?.root ?? 0n
  const aspRoot = asp?.root ?? null
  const length = Object.values(lists).reduce((total, { count }) => total + count, 0)
  return {
    ...lists,
    currentRoot,
    treeSize: history.size,
    prefixRoot,
    aspRoot,
    crowd,
    notes,
    version: digest([
      currentRoot,
      history.size,
      aspRoot,
      history.spentCount,
      history.ragequitCount,
      crowd,
      notes,
      from,
      prefixRoot,
    ]),
    isWhole: (from.leaves === 0 && history.size > 0) || length > MOST_OF_TAIL,
  }
}

const listOf = (pieces: readonly ListPiece[], from: number): StateList => ({
  count: countItems(pieces) - from,
  parts: () => partsFrom(pieces, from),
})

function digest(values: readonly unknown[]): string {
  const text = JSON.stringify(values, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

const refreshing = ({ chainId, asset }: Pool) =>
  poolStateRefreshing(`The ${asset.symbol} pool of chain ${chainId} is being read; try again in a moment`)
