import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import type { CashEventRow, ReadCashEvent } from './rows.ts'

const knownDeposit = z.object({ escrow: hexText, depositId: z.bigint(), address: hexText })
const knownIntent = z.object({ intentHash: hexText, depositId: z.bigint() })

const depositOf = (escrow: string, depositId: bigint) => `${escrow} ${depositId}`

/**
 * Completes events of one chain with their deposit and depositor, which earlier events name, and drops events about
 * deposits of others. Without events it sends no query. The chain must be locked.
 */
export async function attributeCashEvents(
  transaction: CommonQueryMethods,
  events: readonly ReadCashEvent[],
): Promise<CashEventRow[]> {
  const [first] = events
  if (!first) return []
  const { chainId } = first
  const intents = await findIntents(transaction, chainId, events)
  const numbered = events.flatMap((event) => {
    const depositId = event.depositId ?? (event.intentHash && intents.get(event.intentHash))
    return typeof depositId === 'bigint' ? [{ ...event, depositId }] : []
  })
  const owners = await findOwners(transaction, chainId, numbered)
  return numbered.flatMap((event) => {
    const address = owners.get(depositOf(event.escrow, event.depositId))
    return address ? [{ ...event, address }] : []
  })
}

/** Finds the deposits of intents whose events do not name one. */
async function findIntents(
  transaction: CommonQueryMethods,
  chainId: number,
  events: readonly ReadCashEvent[],
): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>()
  for (const { intentHash, depositId } of events)
    if (intentHash !== null && depositId !== null) found.set(intentHash, depositId)
  const wanted = events.flatMap(({ intentHash, depositId }) =>
    intentHash !== null && depositId === null && !found.has(intentHash) ? [intentHash] : [],
  )
  if (wanted.length === 0) return found
  const rows = await transaction.any(sql.type(knownIntent)`
    select intent_hash as "intentHash", deposit_id as "depositId" from cash_event
    where chain_id = ${chainId} and kind = 'locked' and intent_hash = any(${sql.array(wanted, 'text')})`)
  for (const { intentHash, depositId } of rows) found.set(intentHash, depositId)
  return found
}

/** Finds the depositors, from the opening events among these and from stored ones. */
async function findOwners(
  transaction: CommonQueryMethods,
  chainId: number,
  events: readonly (ReadCashEvent & { depositId: bigint })[],
): Promise<Map<string, CashEventRow['address']>> {
  const found = new Map<string, CashEventRow['address']>()
  for (const { kind, escrow, depositId, address } of events)
    if (kind === 'received' && address) found.set(depositOf(escrow, depositId), address)
  const wanted = new Map(
    events.flatMap(({ escrow, depositId }) => {
      const name = depositOf(escrow, depositId)
      return found.has(name) ? [] : [[name, [escrow, String(depositId)]] as const]
    }),
  )
  if (wanted.size === 0) return found
  const rows = await transaction.any(sql.type(knownDeposit)`
    select cash_event.escrow, cash_event.deposit_id as "depositId", address
    from ${sql.unnest([...wanted.values()], ['text', 'numeric'])} as wanted (escrow, deposit_id)
    join cash_event on cash_event.chain_id = ${chainId} and cash_event.escrow = wanted.escrow
      and cash_event.deposit_id = wanted.deposit_id and kind = 'received'`)
  for (const { escrow, depositId, address } of rows) found.set(depositOf(escrow, depositId), address)
  return found
}
