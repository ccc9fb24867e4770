import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'
import { writeTogether, type WriteRows } from '../../write-rows.ts'
import { attributeCashEvents } from './attribute-cash-events.ts'
import type {
  BridgeEventRow,
  CashEventRow,
  Facts,
  IndexedTxRow,
  IntentEventRow,
  PoolEventRow,
  TransferRow,
} from './rows.ts'
import {
  addressesOf,
  addressesOfOthers,
  byAddress,
  keepRows,
  type AccountTable,
} from '../../account-table.ts'
import { z } from 'zod'

/** How an account's erasure and export treat the tables. */
export const factTables: readonly AccountTable[] = [
  {
    table: 'transfer',
    own: (accountId) => sql.fragment`(from_address in ${addressesOf(accountId)}
      or to_address in ${addressesOf(accountId)})`,
    shared: (accountId) => sql.fragment`(from_address in ${addressesOfOthers(accountId)}
      or to_address in ${addressesOfOthers(accountId)})`,
  },
  // Found by address_tx, whose rows go after these.
  {
    table: 'indexed_tx',
    own: (accountId) => sql.fragment`(chain_id, tx_hash) in (
      select chain_id, tx_hash from address_tx where address in ${addressesOf(accountId)})`,
    shared: (accountId) => sql.fragment`(chain_id, tx_hash) in (
      select chain_id, tx_hash from address_tx where address in ${addressesOfOthers(accountId)})`,
  },
  byAddress('address_tx'),
  byAddress('intent_event', 'eoa'),
  byAddress('bridge_event'),
  byAddress('cash_event'),
  keepRows('pool_event', 'the pools’ own history: everybody’s proofs are made from it'),
]

type Cell = string | number | boolean | null
/** Column names, types and values of a row. */
type Columns<Row> = readonly (readonly [
  name: string,
  type: string,
  read: (row: Row) => Cell | bigint | Date,
])[]

async function insertRows<Row>(
  transaction: CommonQueryMethods,
  table: string,
  columns: Columns<Row>,
  rows: readonly Row[],
): Promise<void> {
  const cells = rows.map((row) => columns.map(([, , read]) => toCell(read(row))))
  const names = sql.join(
    columns.map(([name]) => sql.identifier([name])),
    sql.fragment`, `,
  )
  await transaction.query(sql.typeAlias('void')`
    insert into ${sql.identifier([table])} (${names}) select * from ${sql.unnest(
      cells,
      columns.map(([, type]) => type),
    )}
    on conflict do nothing`)
}

const toCell = (value: Cell | bigint | Date): Cell =>
  typeof value === 'bigint' ? String(value) : value instanceof Date ? value.toISOString() : value

const inBlock = [
  ['chain_id', 'int8', (row) => row.chainId],
  ['block_hash', 'text', (row) => row.blockHash],
  ['block_number', 'int8', (row) => row.blockNumber],
  ['block_time', 'timestamptz', (row) => row.blockTime],
] satisfies Columns<Pick<TransferRow, 'chainId' | 'blockHash' | 'blockNumber' | 'blockTime'>>

const transferColumns: Columns<TransferRow> = [
  ...inBlock,
  ['source', 'text', (row) => row.source],
  ['position', 'int4', (row) => row.position],
  ['item', 'int4', (row) => row.item],
  ['tx_hash', 'text', (row) => row.txHash],
  ['standard', 'text', (row) => row.standard],
  ['token', 'text', (row) => row.token],
  ['token_id', 'numeric', (row) => row.tokenId],
  ['from_address', 'text', (row) => row.from],
  ['to_address', 'text', (row) => row.to],
  ['amount', 'numeric', (row) => row.amount],
]

const txColumns: Columns<IndexedTxRow> = [
  ...inBlock,
  ['tx_hash', 'text', (row) => row.txHash],
  ['tx_index', 'int4', (row) => row.txIndex],
  ['from_address', 'text', (row) => row.from],
  ['to_address', 'text', (row) => row.to],
  ['tx_nonce', 'int8', (row) => row.txNonce],
  ['value', 'numeric', (row) => row.value],
  ['succeeded', 'bool', (row) => row.succeeded],
  ['gas_used', 'int8', (row) => row.gasUsed],
  ['fee', 'numeric', (row) => row.fee],
  ['selector', 'text', (row) => row.selector],
  ['input', 'text', (row) => row.input],
]

const addressTxColumns: Columns<Facts['addressTxs'][number]> = [
  ['address', 'text', (row) => row.address],
  ['chain_id', 'int8', (row) => row.chainId],
  ['tx_hash', 'text', (row) => row.txHash],
  ['block_number', 'int8', (row) => row.blockNumber],
  ['block_time', 'timestamptz', (row) => row.blockTime],
  ['tx_index', 'int4', (row) => row.txIndex],
]

const poolEventColumns: Columns<PoolEventRow> = [
  ...inBlock,
  ['log_index', 'int4', (row) => row.logIndex],
  ['tx_hash', 'text', (row) => row.txHash],
  ['kind', 'text', (row) => row.kind],
  ['contract', 'text', (row) => row.contract],
  ['pool', 'text', (row) => row.pool],
  ['asset', 'text', (row) => row.asset],
  ['account', 'text', (row) => row.account],
  ['relayer', 'text', (row) => row.relayer],
  ['value', 'numeric', (row) => row.value],
  ['fee', 'numeric', (row) => row.fee],
  ['commitment', 'numeric', (row) => row.commitment],
  ['label', 'numeric', (row) => row.label],
  ['precommitment', 'numeric', (row) => row.precommitment],
  ['nullifier_hash', 'numeric', (row) => row.nullifierHash],
  ['root', 'numeric', (row) => row.root],
  ['leaf_index', 'int8', (row) => row.leafIndex],
  ['scope', 'numeric', (row) => row.scope],
  ['ipfs_cid', 'text', (row) => row.ipfsCid],
]

const bridgeColumns: Columns<BridgeEventRow> = [
  ...inBlock,
  ['log_index', 'int4', (row) => row.logIndex],
  ['item', 'int4', (row) => row.item],
  ['tx_hash', 'text', (row) => row.txHash],
  ['kind', 'text', (row) => row.kind],
  ['address', 'text', (row) => row.address],
  ['token', 'text', (row) => row.token],
  ['amount', 'numeric', (row) => row.amount],
  ['is_deferred', 'bool', (row) => row.isDeferred],
  ['relay_key', 'text', (row) => row.relayKey],
  ['deposit_id', 'numeric', (row) => row.depositId],
  ['quote_timestamp', 'int8', (row) => row.quoteTimestamp],
  ['fallback_recipient', 'text', (row) => row.fallbackRecipient],
]

const cashColumns: Columns<CashEventRow> = [
  ...inBlock,
  ['log_index', 'int4', (row) => row.logIndex],
  ['tx_hash', 'text', (row) => row.txHash],
  ['kind', 'text', (row) => row.kind],
  ['address', 'text', (row) => row.address],
  ['escrow', 'text', (row) => row.escrow],
  ['deposit_id', 'numeric', (row) => row.depositId],
  ['deposit_key', 'text', (row) => row.depositKey],
  ['amount', 'numeric', (row) => row.amount],
  ['intent_hash', 'text', (row) => row.intentHash],
  ['expires_at', 'int8', (row) => row.expiresAt],
  ['rate', 'numeric', (row) => row.rate],
  ['held', 'numeric', (row) => row.held],
  ['flag', 'bool', (row) => row.flag],
]

const intentColumns: Columns<IntentEventRow> = [
  ...inBlock,
  ['log_index', 'int4', (row) => row.logIndex],
  ['tx_hash', 'text', (row) => row.txHash],
  ['orchestrator', 'text', (row) => row.orchestrator],
  ['eoa', 'text', (row) => row.eoa],
  ['intent_nonce', 'numeric', (row) => row.intentNonce],
  ['incremented', 'bool', (row) => row.incremented],
  ['err', 'text', (row) => row.err],
  ['first_log', 'int4', (row) => row.firstLog],
  ['first_move', 'int4', (row) => row.firstMove],
  ['last_move', 'int4', (row) => row.lastMove],
]

/**
 * Removes native transfers known only from events where traces show the same. Nodes with and without traces may read
 * the same block, in either order.
 */
async function removeTold(transaction: CommonQueryMethods, transfers: readonly TransferRow[]): Promise<void> {
  const blocks = new Map(transfers.map((one) => [`${one.chainId} ${one.blockHash}`, one]))
  await transaction.query(sql.typeAlias('void')`
    delete from transfer as told using transfer as traced, ${sql.unnest(
      [...blocks.values()].map(({ chainId, blockHash }) => [chainId, blockHash]),
      ['int8', 'text'],
    )} as block (chain_id, block_hash)
    where told.chain_id = block.chain_id and told.block_hash = block.block_hash
      and told.source = 'log' and told.standard = 'native'
      and traced.chain_id = told.chain_id and traced.block_hash = told.block_hash and traced.source = 'call'
      and traced.tx_hash = told.tx_hash and traced.from_address = told.from_address
      and traced.to_address = told.to_address and traced.amount = told.amount`)
}

/** A fact that the database refused: its table, block, place in the block, and SQLSTATE. */
export interface RefusedFact {
  table: string
  block: bigint
  place: number | null
  code: string
}

/**
 * Writes the facts that are not stored yet; several reasons may cause a block to be read again. The chain must be
 * locked.
 * @param writeRows Writes the rows of each table.
 * @returns The depositors of the cash-outs among the facts, and the facts that were refused.
 */
export async function insertFacts(
  transaction: CommonQueryMethods,
  read: Facts,
  writeRows: WriteRows = writeTogether,
): Promise<{ depositors: readonly CashEventRow['address'][]; refused: readonly RefusedFact[] }> {
  const facts = await leaveOutErased(transaction, read)
  const refused: RefusedFact[] = []
  const insert = async <Row extends { blockNumber: bigint }>(
    table: string,
    columns: Columns<Row>,
    rows: readonly Row[],
    placeOf: (row: Row) => number | null,
  ) => {
    const left = await writeRows(transaction, rows, (connection, some) =>
      insertRows(connection, table, columns, some),
    )
    for (const { row, code } of left)
      refused.push({ table, block: row.blockNumber, place: placeOf(row), code })
  }
  await insert('transfer', transferColumns, facts.transfers, (row) => row.position)
  if (facts.hasRelayed) await removeTold(transaction, facts.transfers)
  await insert('indexed_tx', txColumns, facts.txs, (row) => row.txIndex)
  await insert('address_tx', addressTxColumns, facts.addressTxs, (row) => row.txIndex)
  await insert('pool_event', poolEventColumns, facts.poolEvents, (row) => row.logIndex)
  await insert('intent_event', intentColumns, facts.intents, (row) => row.logIndex)
  await insert('bridge_event', bridgeColumns, facts.bridgeEvents, (row) => row.logIndex)
  const cashEvents = await attributeCashEvents(transaction, facts.cashEvents)
  await insert('cash_event', cashColumns, cashEvents, (row) => row.logIndex)
  return { depositors: cashEvents.map(({ address }) => address), refused }
}

/**
 * Drops facts about addresses whose account was deleted while the block was read, so that deleted data does not come
 * back. The chain must be locked: deletion of an account waits for that lock.
 */
async function leaveOutErased(transaction: CommonQueryMethods, facts: Facts): Promise<Facts> {
  const { transfers, txs, addressTxs, intents, bridgeEvents, cashEvents } = facts
  const named = new Set([
    ...transfers.flatMap(({ from, to }) => [from, to]),
    ...[...addressTxs, ...bridgeEvents].map(({ address }) => address),
    ...intents.map(({ eoa }) => eoa),
    ...cashEvents.flatMap(({ address }) => address ?? []),
  ])
  if (named.size === 0) return facts
  const known = new Set(
    await transaction.anyFirst(sql.type(z.object({ address: z.string() }))`
      select address from stealth_address where address = any(${sql.array([...named], 'text')})`),
  )
  const ofKnown = addressTxs.filter(({ address }) => known.has(address))
  const theirs = new Set(ofKnown.map(({ txHash }) => txHash))
  return {
    ...facts,
    transfers: transfers.filter(({ from, to }) => known.has(from) || known.has(to)),
    txs: txs.filter(({ txHash }) => theirs.has(txHash)),
    addressTxs: ofKnown,
    intents: intents.filter(({ eoa }) => known.has(eoa)),
    bridgeEvents: bridgeEvents.filter(({ address }) => known.has(address)),
    cashEvents: cashEvents.filter(({ address }) => address === null || known.has(address)),
  }
}
