import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import type { Facts } from './rows.ts'

/**
 * Drops facts about addresses whose account was deleted while the block was read, so that deleted data does not come
 * back. The chain must be locked: deletion of an account waits for that lock.
 */
export async function leaveOutErased(transaction: CommonQueryMethods, facts: Facts): Promise<Facts> {
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
