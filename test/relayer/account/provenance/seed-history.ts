import { randomBytes } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { bytesToHex, getAddress, zeroAddress, zeroHash, type Address, type Hash } from 'viem'
import { insertFacts } from '../../../../db/chain/indexer/write-facts.ts'
import type { PoolEventRow } from '../../../../db/chain/indexer/rows.ts'
import { sql } from '../../../../db/connect-database.ts'
import { insertBridgeOrder } from '../../../../db/transact/bridge-orders.ts'
import type { MovingTransaction } from '../../../../relayer/account/provenance/movements.ts'
import { seedAccount } from '../seed-account.ts'
import { seedQuote } from '../seed-quote.ts'
import { NO_FACTS } from '../../transact/orders/seed-orders.ts'

export const CHAINS = [1, 10] as const
const OWN = ['A', 'B', 'C', 'D'] as const
export type Party = (typeof OWN)[number] | 'x' | 'y' | 'entrypoint'

/** A transaction of one movement or more, in a block of its own. */
export interface Step {
  chainId: (typeof CHAINS)[number]
  movements: readonly { from: Party; to: Party; amount: number; token: 'T' | 'U' }[]
  /** An Entrypoint reports a payment of this amount of T. */
  relays: number | null
  /** The step before this that departed for it. */
  delivers: { from: number; to: (typeof OWN)[number] } | null
}

const randomAddress = () => getAddress(bytesToHex(randomBytes(20)))
const randomHash = () => bytesToHex(randomBytes(32))
const run = sql.typeAlias('void')

/** Writes tokens of both chains that are trusted once an account watches them. */
export async function seedTokens(database: DatabasePool): Promise<Record<'T' | 'U', Address>> {
  const tokens = { T: randomAddress(), U: randomAddress() }
  for (const chainId of CHAINS) {
    await database.query(run`
      insert into indexed_chain (chain_id, start_block, block_number, block_hash, state)
      values (${chainId}, 1, 1000, ${zeroHash}, 'live') on conflict do nothing`)
    for (const [symbol, address] of Object.entries(tokens))
      await database.query(run`
        insert into token_source (chain_id, address, source, source_id, symbol, name, decimals)
        values (${chainId}, ${address}, 'chain', ${address}, ${symbol}, ${symbol}, 0)`)
  }
  return tokens
}

/** An account whose addresses are watched on both chains from the beginning. */
export async function openOwner(database: DatabasePool, tokens: Record<'T' | 'U', Address>) {
  const { accountId } = await seedAccount(database)
  const parties = Object.fromEntries(
    [...OWN, 'x', 'y', 'entrypoint'].map((name) => [name, randomAddress()]),
  ) as Record<Party, Address>
  const own = OWN.map((name) => parties[name])
  await database.query(run`
    insert into stealth_address (address, account_id, derivation_nonce, generation_context)
    select address, ${accountId}::uuid, place, 'external'
    from unnest(${sql.array(own, 'text')}) with ordinality as own (address, place)`)
  await database.query(run`
    insert into watched_address (chain_id, address, live_from, near_from)
    select chain_id, address, 1, 1 from unnest(${sql.array(own, 'text')}) as own (address)
    cross join unnest(${sql.array([...CHAINS], 'int8')}) as chain (chain_id) on conflict do nothing`)
  await database.query(run`
    insert into account_token (account_id, chain_id, address)
    select ${accountId}::uuid, chain_id, address
    from unnest(${sql.array(Object.values(tokens), 'text')}) as token (address)
    cross join unnest(${sql.array([...CHAINS], 'int8')}) as chain (chain_id)`)
  return { accountId, parties, own, tokens }
}
export type Owner = Awaited<ReturnType<typeof openOwner>>

/** Seconds between blocks; the second chain's clock is late by more than that. */
const BLOCK_S = 10
const LATE_S = 35

/**
 * Writes steps as the indexer does, in blocks that follow `firstBlock`.
 * @returns The same as it is to be traced.
 */
export async function writeHistory(
  database: DatabasePool,
  { accountId, parties, own, tokens }: Owner,
  steps: readonly Step[],
  firstBlock = 1,
): Promise<MovingTransaction[]> {
  const departed = new Map<number, string>()
  for (const { delivers } of steps)
    if (delivers && !departed.has(delivers.from))
      departed.set(delivers.from, await seedQuote(database, accountId))
  const transactions = steps.map((step, place): MovingTransaction => {
    const txHash = randomHash()
    const orderId = departed.get(place)
    const arrives = step.delivers && departed.get(step.delivers.from)
    return {
      id: `${step.chainId}:${txHash}`,
      chainId: step.chainId,
      txHash,
      movements: step.movements.map(({ from, to, amount, token }, index) => ({
        from: parties[from],
        to: parties[to],
        token: tokens[token],
        amount: BigInt(amount),
        index,
        isUnsolicited: amount === 0,
      })),
      relayed:
        step.relays === null
          ? []
          : [{ entrypoint: parties.entrypoint, token: tokens.T, received: BigInt(step.relays) }],
      recovered: [],
      action: null,
      departs: orderId ? [orderId] : [],
      delivers: arrives && step.delivers ? [{ orderId: arrives, to: parties[step.delivers.to] }] : [],
    }
  })
  const facts = transactions.map((transaction, place) => {
    const block = {
      chainId: transaction.chainId,
      blockHash: randomHash(),
      blockNumber: BigInt(firstBlock + place),
      blockTime: new Date(
        (1_700_000_000 + (firstBlock + place) * BLOCK_S - (transaction.chainId === CHAINS[1] ? LATE_S : 0)) *
          1_000,
      ),
      txHash: transaction.txHash as Hash,
    }
    return {
      transfers: transaction.movements
        .filter(({ from, to }) => own.includes(from) || own.includes(to))
        .map(({ from, to, token, amount, index }) => ({
          ...block,
          source: 'log' as const,
          position: index,
          item: 0,
          standard: 'erc20' as const,
          token,
          tokenId: null,
          from,
          to,
          amount,
        })),
      poolEvents: transaction.relayed.flatMap(({ entrypoint, received }): PoolEventRow[] => [
        {
          ...NO_POOL_EVENT,
          ...block,
          logIndex: 90 + 2 * place,
          kind: 'withdrawal',
          contract: parties.y,
          account: entrypoint,
        },
        {
          ...NO_POOL_EVENT,
          ...block,
          logIndex: 91 + 2 * place,
          kind: 'relay',
          contract: entrypoint,
          asset: tokens.T,
          value: received + 1n,
          fee: 1n,
        },
      ]),
    }
  })
  await insertFacts(database, {
    ...NO_FACTS,
    transfers: facts.flatMap(({ transfers }) => transfers),
    poolEvents: facts.flatMap(({ poolEvents }) => poolEvents),
  })
  for (const [place, orderId] of departed)
    await writeOrder(database, accountId, orderId, { transactions, place, steps, parties })
  return transactions
}

async function writeOrder(
  database: DatabasePool,
  accountId: string,
  orderId: string,
  {
    transactions,
    place,
    steps,
    parties,
  }: {
    transactions: readonly MovingTransaction[]
    place: number
    steps: readonly Step[]
    parties: Owner['parties']
  },
): Promise<void> {
  const arrival = steps.findIndex(({ delivers }) => delivers?.from === place)
  const to = parties[steps[arrival]?.delivers?.to ?? 'A']
  const sender = steps[place]?.movements
    .map(({ from }) => from)
    .find((from) => OWN.some((own) => own === from))
  await insertBridgeOrder(database, {
    quoteId: orderId,
    accountId,
    deposit: {
      provider: 'across',
      originChainId: steps[place]?.chainId ?? CHAINS[0],
      destinationChainId: steps[arrival]?.chainId ?? CHAINS[1],
      depositor: parties[sender ?? 'x'],
      recipient: to,
      exclusiveRelayer: zeroAddress,
      inputToken: zeroAddress,
      outputToken: zeroAddress,
      inputAmount: 1n,
      outputAmount: 1n,
      quoteTimestamp: 1,
      fillDeadline: 4_000_000_000,
      exclusivityDeadline: 0,
      message: '0x',
    },
    outputRecipient: to,
    outputToken: zeroAddress,
    expectedOutput: 1n,
    minimumOutput: 1n,
    sourceToken: zeroAddress,
    sourceAmount: 1n,
    estimatedFillMs: null,
  })
  // Written by SQL because the stores derive it from events of a real bridge.
  await database.query(run`
    update bridge_order set deposit_tx = ${transactions[place]?.txHash ?? null},
      fill_tx = ${transactions[arrival]?.txHash ?? null} where quote_id = ${orderId}`)
}

/** Writes this holding of every token for every address of an account. */
export async function fundOwner(
  database: DatabasePool,
  { own, tokens }: Owner,
  amount: bigint,
): Promise<void> {
  await database.query(run`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select chain_id, address, 'erc20', token, ${amount}::numeric, false, 1, ${zeroHash}
    from unnest(${sql.array(own, 'text')}) as own (address)
    cross join unnest(${sql.array([...CHAINS], 'int8')}) as chain (chain_id)
    cross join unnest(${sql.array(Object.values(tokens), 'text')}) as token (token)
    on conflict (chain_id, address, standard, token, token_id) do update set amount = excluded.amount, stale = false`)
}

const NO_POOL_EVENT = {
  pool: null,
  asset: null,
  account: null,
  relayer: null,
  value: null,
  fee: null,
  commitment: null,
  label: null,
  precommitment: null,
  nullifierHash: null,
  root: null,
  leafIndex: null,
  scope: null,
  ipfsCid: null,
}
