import { randomBytes, randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { bytesToHex, getAddress, zeroAddress, type Address, type Hash } from 'viem'
import type { ReadCashEvent } from '../../../../db/chain/indexer/rows.ts'
import { insertFacts } from '../../../../db/chain/indexer/write-facts.ts'
import { sql } from '../../../../db/connect-database.ts'
import { insertCashOrder } from '../../../../db/transact/cash-orders.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedQuote } from '../../account/seed-quote.ts'
import { DEPOSIT_BLOCK, NO_FACTS } from '../orders/seed-orders.ts'

/** The escrow's chain. */
export const CASH_CHAIN = 31_337
const ESCROW = getAddress(bytesToHex(randomBytes(20)))
const AMOUNT = 100n
const RATE = 10n ** 18n
const PER_ACCOUNT = 10
/** Accounts per insert. */
const AT_ONCE = 8

/** A cash-out whose deposit the escrow has. */
export interface OpenCash {
  depositor: Address
  depositId: bigint
  /** Of the buyer that comes. */
  intentHash: Hash
}

const randomHash = () => bytesToHex(randomBytes(32))
const randomAddress = () => getAddress(bytesToHex(randomBytes(20)))
const run = sql.typeAlias('void')
let deposits = 0n

/** Writes cash-outs through the stores; each was deposited by an address of its own and waits for a buyer. */
export async function seedCashOrders(database: DatabasePool, count: number): Promise<OpenCash[]> {
  const orders: OpenCash[] = []
  const accounts = Math.ceil(count / PER_ACCOUNT)
  for (let at = 0; at < accounts; at += AT_ONCE)
    for (const seeded of await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, accounts - at) }, () => seedOrdersOfAccount(database)),
    ))
      orders.push(...seeded)
  return orders.slice(0, count)
}

async function seedOrdersOfAccount(database: DatabasePool): Promise<OpenCash[]> {
  const { accountId } = await seedAccount(database)
  const orders: OpenCash[] = []
  for (let place = 0; place < PER_ACCOUNT; place += 1) {
    const order = { depositor: randomAddress(), depositId: deposits++, intentHash: randomHash() }
    const { depositor } = order
    const quoteId = await seedQuote(database, accountId)
    await database.query(run`insert into stealth_address (address, account_id, derivation_nonce, generation_context)
      values (${depositor}, ${accountId}, ${place}, 'external')`)
    await database.query(run`insert into intent (id, quote_id, account_id, place, chain_id, eoa, intent_nonce,
        combined_gas, transaction_gas, status, expires_at, from_block, ended_at)
      values (${randomUUID()}, ${quoteId}, ${accountId}, 0, ${CASH_CHAIN}, ${depositor}, 0, 1, 1, 'succeeded', now(), 1,
        now())`)
    const depositKey = randomHash()
    await insertCashOrder(database, { quoteId, accountId, ...describeOrder(depositor, depositKey) })
    const intent = {
      logIndex: 1_000,
      orchestrator: zeroAddress,
      eoa: depositor,
      intentNonce: 0n,
      incremented: true,
      err: '0x00000000' as const,
      firstLog: 0,
      firstMove: 1,
      lastMove: 0,
    }
    const at = blockAt(DEPOSIT_BLOCK)
    const deposit = { ...at, ...eventOf(order), kind: 'received' as const, address: depositor, depositKey }
    await insertFacts(database, { ...NO_FACTS, cashEvents: [deposit], intents: [{ ...at, ...intent }] })
    orders.push(order)
  }
  return orders
}

function describeOrder(depositor: Address, depositKey: Hash) {
  const token = randomAddress()
  return {
    originChainId: CASH_CHAIN,
    sourceToken: token,
    sourceAmount: AMOUNT,
    fromIncognito: false,
    chainId: CASH_CHAIN,
    escrow: ESCROW,
    orchestrator: randomAddress(),
    depositor,
    token,
    amount: AMOUNT,
    paymentMethod: 'venmo',
    currency: 'USD',
    payeeDetails: randomHash(),
    minRate: RATE,
    rate: RATE,
    depositKey,
  }
}

const blockAt = (blockNumber: bigint) => ({
  chainId: CASH_CHAIN,
  blockHash: randomHash(),
  blockNumber,
  blockTime: new Date(),
  txHash: randomHash(),
})

const eventOf = ({ depositId }: Pick<OpenCash, 'depositId'>) =>
  ({
    logIndex: 1,
    address: null,
    escrow: ESCROW,
    depositId,
    depositKey: null,
    amount: AMOUNT,
    intentHash: null,
    expiresAt: null,
    rate: null,
    held: null,
    flag: null,
  }) satisfies Partial<ReadCashEvent>

const FAR_EXPIRY = 4_000_000_000

/** A block in which buyers take deposits, others pay for theirs, and as many deposits of other people are taken. */
export async function trade(
  database: DatabasePool,
  { taken, sold, foreign }: { taken: readonly OpenCash[]; sold: readonly OpenCash[]; foreign: number },
  blockNumber: bigint,
): Promise<void> {
  const at = blockAt(blockNumber)
  const strangers = Array.from({ length: foreign }, (_, place) => ({
    depositId: 10n ** 12n + BigInt(place),
    intentHash: randomHash(),
  }))
  const events = [
    ...[...taken, ...strangers].flatMap((one) => [
      { ...eventOf(one), kind: 'signaled' as const, intentHash: one.intentHash, rate: RATE },
      { ...eventOf(one), kind: 'locked' as const, intentHash: one.intentHash, expiresAt: FAR_EXPIRY },
    ]),
    ...sold.flatMap((one) => [
      { ...eventOf(one), kind: 'pruned' as const, depositId: null, amount: null, intentHash: one.intentHash },
      { ...eventOf(one), kind: 'closed' as const, amount: null },
      { ...eventOf(one), kind: 'transferred' as const, intentHash: one.intentHash, held: AMOUNT },
      {
        ...eventOf(one),
        kind: 'fulfilled' as const,
        depositId: null,
        intentHash: one.intentHash,
        flag: false,
      },
    ]),
  ]
  const cashEvents = events.map((event, logIndex) => ({ ...at, ...event, logIndex }))
  await insertFacts(database, { ...NO_FACTS, cashEvents })
}
