import type { DatabaseTransactionConnection } from 'slonik'
import type { Address } from 'viem'
import {
  markStale,
  setHoldingsAside,
  writeReadings,
  type HoldingKey,
} from '../../../db/chain/indexer/holdings.ts'
import { countSetAside } from '../../../db/chain/indexer/indexed-chains.ts'
import type { Facts } from '../../../db/chain/indexer/rows.ts'
import { insertFacts, type RefusedFact } from '../../../db/chain/indexer/write-facts.ts'
import { findRefusal, writeTogether, type WriteRows } from '../../../db/write-rows.ts'
import { writeApart } from '../../concurrency/write-apart.ts'
import type { ChainIndex } from './chain-index.ts'
import type { BalancesRead } from './read-balances.ts'

/** Milliseconds until a balance that could not be read or written is tried again. */
const RETRY_MS = 2 * 60_000

/** A row that was left out: a row of a block, or a holding, of which only the token is named. */
type Aside = RefusedFact | { table: 'holding'; token: Address; code: string }

/** Writes values that strangers choose: the contents of blocks, and the balances that tokens report. */
export interface ChainWriter {
  /** @returns The depositors of the cash-outs among the facts. */
  facts(facts: Facts): Promise<readonly Address[]>
  /** Marks holdings to be read again; with `onlyNew` only those without a row. */
  stale(keys: readonly HoldingKey[], onlyNew?: boolean): Promise<void>
  /** Writes the balances that were read after a block. */
  balances(read: BalancesRead, block: { number: bigint; hash: string }): Promise<void>
}

/**
 * Runs a transaction on a chain's rows. If the database refuses values, it runs once more, row by row. A refused row is left
 * out, counted and reported; the rest is written.
 */
export async function writeChain<Result>(
  index: ChainIndex,
  work: (transaction: DatabaseTransactionConnection, writer: ChainWriter) => Promise<Result>,
): Promise<Result> {
  const { pool, chainId, log } = index
  const attempt = (writeRows: WriteRows) =>
    pool.transaction(async (transaction) => {
      const aside: Aside[] = []
      const unread: HoldingKey[] = []
      const result = await work(transaction, createWriter(transaction, chainId, writeRows, aside, unread))
      if (aside.length > 0) await countSetAside(transaction, chainId, aside.length)
      return { result, aside, unread }
    })
  const { result, aside, unread } = await attempt(writeTogether).catch((error: unknown) => {
    if (findRefusal(error) === null) throw error
    log.warn('the database refused values: rows are written apart')
    return attempt(writeApart)
  })
  if (aside.length > 0)
    log.error(
      { rows: aside.length, first: aside.slice(0, 10) },
      'rows that the database refused were left out',
    )
  if (unread.length > 0) {
    const tokens = [...new Set(unread.map(({ token }) => token))].slice(0, 10)
    log.error(
      { balances: unread.length, tokens },
      'no node could read some balances: they are tried again later',
    )
  }
  return result
}

function createWriter(
  transaction: DatabaseTransactionConnection,
  chainId: number,
  writeRows: WriteRows,
  aside: Aside[],
  unreadable: HoldingKey[],
): ChainWriter {
  const noteHoldings = (refused: readonly { row: HoldingKey; code: string }[]) =>
    aside.push(...refused.map(({ row, code }) => ({ table: 'holding' as const, token: row.token, code })))
  const setAside = async (keys: readonly HoldingKey[], problem: 'unreadable' | 'unwritable') =>
    noteHoldings(
      await writeRows(transaction, keys, (connection, some) =>
        setHoldingsAside(connection, chainId, some, { problem, forMs: RETRY_MS }),
      ),
    )
  return {
    async facts(facts) {
      const { depositors, refused } = await insertFacts(transaction, facts, writeRows)
      aside.push(...refused)
      return depositors
    },
    async stale(keys, onlyNew = false) {
      noteHoldings(
        await writeRows(transaction, keys, (connection, some) =>
          markStale(connection, chainId, some, onlyNew),
        ),
      )
    },
    async balances({ readings, unread }, block) {
      const refused = await writeRows(transaction, readings, (connection, some) =>
        writeReadings(connection, chainId, some, block),
      )
      noteHoldings(refused)
      await setAside(
        refused.map(({ row }) => row),
        'unwritable',
      )
      await setAside(unread, 'unreadable')
      unreadable.push(...unread)
    },
  }
}
