import { randomBytes, randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { bytesToHex, getAddress, zeroAddress, type Address, type Hash } from 'viem'
import type { BridgeEventRow } from '../../../../db/chain/indexer/rows.ts'
import { insertFacts } from '../../../../db/chain/indexer/write-facts.ts'
import { sql } from '../../../../db/connect-database.ts'
import { insertBridgeOrder } from '../../../../db/transact/bridge-orders.ts'
import { lockOrdersOf } from '../../../../db/transact/followed-orders.ts'
import { relayKeyOf } from '../../../../relayer/transact/orders/follow-orders.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedQuote } from '../../account/seed-quote.ts'

/** Origin and destination of the orders. */
export const [ORIGIN, DESTINATION] = [31_337, 31_338]
/** Block of all deposits. */
export const DEPOSIT_BLOCK = 10n

/** An order that waits for its fill, and the fill that would end it. */
export interface OpenOrder {
  depositor: Address
  relayKey: Hash
  depositId: bigint
}

const PER_ACCOUNT = 10
/** Accounts per insert. */
const AT_ONCE = 8

/** Seconds since 1970. */
const FAR_DEADLINE = 4_000_000_000

const randomHash = () => bytesToHex(randomBytes(32))
const randomAddress = () => getAddress(bytesToHex(randomBytes(20)))
const run = sql.typeAlias('void')

/**
 * Writes orders through the stores; each was deposited by an address of its own and waits for its fill.
 * @param fillDeadline Seconds since 1970.
 */
export async function seedOrders(
  database: DatabasePool,
  count: number,
  fillDeadline = FAR_DEADLINE,
): Promise<OpenOrder[]> {
  const orders: OpenOrder[] = []
  const accounts = Math.ceil(count / PER_ACCOUNT)
  for (let at = 0; at < accounts; at += AT_ONCE)
    for (const seeded of await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, accounts - at) }, (_, place) =>
        seedOrdersOfAccount(database, BigInt(at + place), fillDeadline),
      ),
    ))
      orders.push(...seeded)
  return orders.slice(0, count)
}

async function seedOrdersOfAccount(
  database: DatabasePool,
  account: bigint,
  fillDeadline: number,
): Promise<OpenOrder[]> {
  const { accountId } = await seedAccount(database)
  const orders: OpenOrder[] = []
  for (let place = 0; place < PER_ACCOUNT; place += 1) {
    const depositor = randomAddress()
    const depositId = account * BigInt(PER_ACCOUNT) + BigInt(place)
    const quoteId = await seedQuote(database, accountId)
    await database.query(run`insert into stealth_address (address, account_id, derivation_nonce, generation_context)
      values (${depositor}, ${accountId}, ${place}, 'external')`)
    await database.query(run`update quote set submitted_at = now() where id = ${quoteId}`)
    await database.query(run`insert into intent (id, quote_id, account_id, place, chain_id, eoa, intent_nonce,
        combined_gas, transaction_gas, status, expires_at, from_block, ended_at)
      values (${randomUUID()}, ${quoteId}, ${accountId}, 0, ${ORIGIN}, ${depositor}, 0, 1, 1, 'succeeded', now(), 1,
        now())`)
    await insertBridgeOrder(database, { quoteId, accountId, ...describeOrder(depositor, fillDeadline) })
    const [order] = await lockOrdersOf(database, [depositor])
    if (!order) throw new Error('the order was not written')
    const relayKey = relayKeyOf(order, depositId)
    await insertDeposit(database, { depositor, relayKey, depositId })
    orders.push({ depositor, relayKey, depositId })
  }
  return orders
}

const QUOTED_AT = 1_000

function describeOrder(depositor: Address, fillDeadline: number) {
  const [recipient, input, output] = [randomAddress(), randomAddress(), randomAddress()]
  const deposit = {
    provider: 'across' as const,
    originChainId: ORIGIN,
    destinationChainId: DESTINATION,
    depositor,
    recipient,
    exclusiveRelayer: zeroAddress,
    inputToken: input,
    outputToken: output,
    inputAmount: 100n,
    outputAmount: 99n,
    quoteTimestamp: QUOTED_AT,
    fillDeadline,
    exclusivityDeadline: 0,
    message: '0x',
  }
  return {
    deposit,
    outputRecipient: recipient,
    outputToken: output,
    expectedOutput: 99n,
    minimumOutput: 99n,
    sourceToken: input,
    sourceAmount: 100n,
    estimatedFillMs: 2_000,
  }
}

async function insertDeposit(database: DatabasePool, order: OpenOrder): Promise<void> {
  const place = { chainId: ORIGIN, blockHash: randomHash(), blockNumber: DEPOSIT_BLOCK, txHash: randomHash() }
  const at = { ...place, blockTime: new Date() }
  const intent = {
    ...at,
    logIndex: 1_000,
    orchestrator: zeroAddress,
    eoa: order.depositor,
    intentNonce: 0n,
    incremented: true,
    err: '0x00000000' as const,
    firstLog: 0,
    firstMove: 1,
    lastMove: 0,
  }
  const deposit = { ...bridgeEvent(order), ...at, kind: 'deposit' as const, quoteTimestamp: QUOTED_AT }
  await insertFacts(database, { ...NO_FACTS, bridgeEvents: [deposit], intents: [intent] })
}

/** Writes fills of orders as the destination's indexer does. */
export async function fillOrders(
  database: DatabasePool,
  orders: readonly OpenOrder[],
  blockNumber: bigint,
): Promise<void> {
  const at = { chainId: DESTINATION, blockHash: randomHash(), blockNumber, blockTime: new Date() }
  const bridgeEvents = orders.map((order, logIndex) => ({
    ...bridgeEvent(order),
    ...at,
    txHash: randomHash(),
    logIndex,
    kind: 'fill' as const,
    amount: 99n,
  }))
  await insertFacts(database, { ...NO_FACTS, bridgeEvents })
}

/** A block that says nothing. */
export const NO_FACTS = {
  hasRelayed: false,
  transfers: [],
  txs: [],
  addressTxs: [],
  poolEvents: [],
  cashEvents: [],
  bridgeEvents: [],
  intents: [],
}

const bridgeEvent = ({ depositor, relayKey, depositId }: OpenOrder) =>
  ({
    logIndex: 1,
    item: 0,
    address: depositor,
    relayKey,
    depositId,
    quoteTimestamp: null,
    token: null,
    amount: null,
    isDeferred: null,
    fallbackRecipient: null,
  }) satisfies Partial<BridgeEventRow>

/** Writes that a chain is indexed up to a block. */
export async function reachBlock(database: DatabasePool, chainId: number, number: bigint): Promise<void> {
  await database.query(run`insert into indexed_chain (chain_id, start_block, block_number, block_hash)
    values (${chainId}, 1, ${number}, 'h') on conflict (chain_id) do update set block_number = ${number}`)
  await database.query(run`insert into indexed_block (chain_id, number, hash, parent_hash, mined_at)
    values (${chainId}, ${number}, ${String(number)}, ${String(number - 1n)}, now())`)
}
