import { parseEther, type Address, type Hash, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { takeDerivationNonces } from '../../../../db/account/addresses/issue-addresses.ts'
import { recallAddresses, rememberAddresses } from '../../../../db/account/profile/accounts.ts'
import { sql } from '../../../../db/connect-database.ts'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { deleteAccount } from '../../../../relayer/account/erasure/account-data.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { countRpc, type RpcCounter } from '../../../harness/count-rpc.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { startDoor, type Door } from '../../../harness/start-door.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'
import { pay, payInside } from './calls.ts'
import { describeCall, randomAddress, type Call } from './chain-calls.ts'
import { seedAddresses } from './seed-addresses.ts'
import { eventually } from './start-index-world.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'

/** A chain with two nodes, of which each request is recorded. */
interface Watched {
  chain: ChainConfig
  ask<Result>(method: string, ...params: unknown[]): Promise<Result>
  door: Door
  nodes: [RpcCounter, RpcCounter]
  running: RunningIndexer
}

let devnet: TestDevnet
let database: TestDatabase
let chains: Watched[]
beforeAll(async () => {
  devnet = await startTestDevnet({ chainIds: [31_337, 31_338] })
})
afterAll(() => devnet?.[Symbol.asyncDispose]())
beforeEach(async () => {
  database = await openTestDatabase()
  chains = []
  for (const chain of devnet.devnet.chains) {
    const [url = ''] = chain.rpcUrls
    const door = await startDoor(url)
    const nodes: [RpcCounter, RpcCounter] = [await countRpc(door.url), await countRpc(url)]
    const ask = <Result>(method: string, ...params: unknown[]) => askNode<Result>(url, method, ...params)
    await ask('anvil_autoImpersonateAccount', true)
    await ask('evm_setAutomine', false)
    const rpcUrls = nodes.map((node) => node.url)
    const running = await startIndexer(database.pool, chain, {}, { rpcUrls })
    chains.push({ chain, ask, door, nodes, running })
  }
  for (const chain of chains) await untilSynced(chain)
})
afterEach(async () => {
  for (const { running, nodes, door } of chains) {
    await running.stop()
    for (const node of nodes) await node.close()
    await door.close()
  }
  await database.drop()
})

async function mine({ ask }: Watched, ...calls: Call[]): Promise<void> {
  for (const call of calls) await ask('eth_sendTransaction', describeCall(call))
  await ask('evm_mine')
}

const untilSynced = ({ chain, ask, running }: Watched) =>
  eventually(
    async () => {
      const head = await ask<{ number: Hex; hash: Hash }>('eth_getBlockByNumber', 'latest', false)
      const [progress] = await running.indexer.progress()
      return { head, progress, isSynced: await running.indexer.isSynced(chain.chainId) }
    },
    ({ head, progress, isSynced }) => isSynced && progress?.indexedHash === head.hash,
  )

/** Issues addresses as the service does: all that one account has been handed out so far, first to last. */
async function issue(accountId: string, first: number, addresses: readonly Address[]): Promise<void> {
  const context = 'external'
  expect(
    await takeDerivationNonces(database.pool, { accountId, first: BigInt(first), addresses, context }),
  ).toBe(true)
}

/** Waits until every chain watches the addresses and has nothing left to do. */
async function untilWatched(addresses: readonly Address[]): Promise<void> {
  for (const { running } of chains) running.indexer.noticeAddresses()
  await eventually(
    () =>
      database.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
        select count(*) from watched_address where address = any(${sql.array([...addresses], 'text')})`),
    (count) => count === BigInt(addresses.length * chains.length),
  )
  for (const chain of chains) await untilSynced(chain)
}

/** Which of the addresses a node was asked about since the last call. */
function namedAt(node: RpcCounter, addresses: readonly Address[]): Address[] {
  const text = node.takeBodies().join('\n').toLowerCase()
  return addresses.filter((address) => text.includes(address.slice(2).toLowerCase()))
}

const holdingOf = (chain: Watched, address: Address) =>
  database.pool.maybeOneFirst(sql.type(z.object({ amount: z.string() }))`
    select amount::text from holding where chain_id = ${chain.chain.chainId} and address = ${address} and not stale`)

test('no node of any chain is asked about an address before it is paid there, and then one node is', async () => {
  const [first, second] = chains as [Watched, Watched]
  const { accountId } = await seedAccount(database.pool)
  const own = Array.from({ length: 6 }, randomAddress)
  await issue(accountId, 0, own.slice(0, 3))
  await untilWatched(own.slice(0, 3))
  await mine(first, pay(own[0]!, parseEther('1')), payInside(own[1]!, 5n))
  await mine(second, pay(own[2]!, 7n))
  for (const chain of chains) await untilSynced(chain)
  await issue(accountId, 3, own.slice(3))
  await untilWatched(own)
  await mine(second, pay(own[3]!, 9n))
  for (const chain of chains) await untilSynced(chain)

  expect(namedAt(first.nodes[0], own).toSorted()).toEqual([own[0]!, own[1]!].toSorted())
  expect(namedAt(second.nodes[0], own).toSorted()).toEqual([own[2]!, own[3]!].toSorted())
  for (const { nodes } of chains) expect(namedAt(nodes[1], own)).toEqual([])
  expect(await holdingOf(first, own[0]!)).toBe(String(parseEther('1')))
  expect(await holdingOf(first, own[1]!)).toBe('5')
  expect(await holdingOf(second, own[2]!)).toBe('7')
  expect(await holdingOf(second, own[3]!)).toBe('9')
})

test('a payment between an issue and the watch of the address is found, without questions about unpaid addresses', async () => {
  const [first] = chains as [Watched]
  const { accountId } = await seedAccount(database.pool)
  const [paid, unpaid] = [randomAddress(), randomAddress()] as const
  const { pool } = database
  const issuedAt = await pool.oneFirst(sql.type(z.object({ now: z.date() }))`select clock_timestamp() as now`)
  await mine(first, pay(paid, 3n))
  await mine(first)
  await untilSynced(first)
  // The transaction that issued them ends only now.
  await pool.query(sql.typeAlias('void')`
    insert into stealth_address (address, account_id, derivation_nonce, generation_context, created_at)
    select address, ${accountId}::uuid, place - 1, 'external', ${sql.timestamp(issuedAt)}
    from unnest(${sql.array([paid, unpaid], 'text')}) with ordinality as made (address, place)`)
  await untilWatched([paid, unpaid])
  expect(await holdingOf(first, paid)).toBe('3')
  for (const { nodes } of chains) for (const node of nodes) expect(namedAt(node, [unpaid])).toEqual([])
})

test('the past of an address that may be older than its row is asked of one node, and of the next when that fails', async () => {
  const [first] = chains as [Watched]
  const [old, older] = [randomAddress(), randomAddress()] as const
  await mine(first, pay(old, 11n), pay(older, 13n))
  await first.ask('anvil_mine', '0x60')
  await untilSynced(first)
  for (const node of first.nodes) node.takeBodies()
  await seedAddresses(database.pool, [old])
  await untilWatched([old])
  expect(await holdingOf(first, old)).toBe('11')
  expect(namedAt(first.nodes[0], [old])).toEqual([old])
  expect(namedAt(first.nodes[1], [old])).toEqual([])

  first.door.shut('all')
  await seedAddresses(database.pool, [older])
  await untilWatched([older])
  expect(await holdingOf(first, older)).toBe('13')
  expect(namedAt(first.nodes[1], [older])).toEqual([older])
})

test('an account that is deleted and made again gets the past of its old addresses back, and only of those', async () => {
  const [first] = chains as [Watched]
  const signer = Buffer.alloc(32, 7)
  const { accountId } = await seedAccount(database.pool)
  const [old, fresh] = [randomAddress(), randomAddress()] as const
  await issue(accountId, 0, [old])
  await rememberAddresses(database.pool, accountId, signer)
  expect(await deleteAccount(database.pool, accountId)).toBe(true)
  await mine(first, pay(old, 17n))
  await untilSynced(first)

  const again = await seedAccount(database.pool)
  await recallAddresses(database.pool, again.accountId, signer)
  await issue(again.accountId, 0, [old, fresh])
  await untilWatched([old, fresh])
  expect(await holdingOf(first, old)).toBe('17')
  for (const { nodes } of chains) for (const node of nodes) expect(namedAt(node, [fresh])).toEqual([])
})
