import { toHex, type Address, type Hash, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID, signerKey } from './start-engine.ts'
import { startNodeDoor, type NodeDoor } from './start-node-door.ts'

let world: World
let door: NodeDoor | null = null
afterEach(async () => {
  await world.stop()
  await door?.close()
  door = null
})

const never = new AbortController().signal
const row = z.object({ pointless: z.string().nullable(), forms: z.bigint() })
const outbound = () =>
  world.pool.one(sql.type(row)`
    select pointless, (select count(*) from outbound_attempt) as forms from outbound_tx`)
const config = { reviewAfterMs: 200, resendAfterMs: 200, bumpAfterMs: 600_000 }

test('a form of a transaction that was mined after all counts', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  door = await startNodeDoor(world.node.url)
  const reviewer = { queued: async () => null, unmined: async () => 'it can only fail' }
  const engine = await world.startEngine({ rpcUrls: [door.url], config, reviewer })
  const [id] = await world.enqueue(engine, 1, { value: 5n })
  const sent = await engine.waitUntilSent(id ?? '', never)
  door.refuse('eth_sendRawTransaction', { code: -32_000, message: 'txpool is full' })
  await eventually(outbound, ({ pointless, forms }) => pointless !== null && forms === 2n)
  await world.node.ask('evm_mine')
  expect(await world.settled(1)).toMatchObject([
    { status: 'confirmed', hash: 'hash' in sent ? sent.hash : null },
  ])
  expect((await world.minedFrom(0)).map(({ input }) => input.length)).toEqual([66])
})

test('a transaction that cannot be reviewed is not changed, and a queued one waits for its review', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  let isKnown = false
  let asked = 0
  const answer = async () => {
    asked += 1
    if (!isKnown) throw new Error('no node answers')
    return null
  }
  const reviewer = { queued: answer, unmined: answer }
  const engine = await world.startEngine({ config, reviewer })
  const [id] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(id ?? '', never)
  await eventually(
    async () => asked,
    (count) => count >= 3,
  )
  expect(await outbound()).toEqual({ pointless: null, forms: 1n })

  await engine.stop()
  await world.enqueue(engine, 1, {}, 1)
  await world.pool.query(sql.typeAlias('void')`
    update outbound_tx set created_at = now() - interval '1 hour' where status = 'queued'`)
  const next = await world.startEngine({ config, reviewer })
  const before = asked
  await eventually(
    async () => asked,
    (count) => count >= before + 4,
  )
  expect(await next.pending(CHAIN_ID)).toBe(2)
  await world.node.ask('evm_setAutomine', true)
  await world.node.ask('evm_mine')
  await world.settled(1)
  expect(await world.nonceOf(0)).toBe(1)
  isKnown = true
  await world.settled(2)
})

test('of two forms that were mined, under two nonces, the one that succeeded counts, and both are paid for', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const reverting: Address = '0x3000000000000000000000000000000000000003'
  await world.node.ask('anvil_setCode', reverting, '0x60006000fd')
  const account = privateKeyToAccount(signerKey(0))
  const id = crypto.randomUUID()
  await world.pool.query(sql.typeAlias('void')`
    insert into outbound_tx (id, chain_id, kind, reference, to_address, data, value, gas_limit, status, signer, tx_nonce)
    values (${id}, ${CHAIN_ID}, 'test', '0', ${reverting}, ''::bytea, 0, 50000, 'sent', ${account.address}, 1)`)
  const hashes: Hash[] = []
  for (const [nonce, to] of [account.address, reverting].entries()) {
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
    const raw = await account.signTransaction({ chainId: CHAIN_ID, nonce, to, gas: 50_000n, ...fees })
    const hash = await world.node.ask<Hash>('eth_sendRawTransaction', raw)
    await world.pool.query(sql.typeAlias('void')`
      insert into outbound_attempt (hash, outbound_id, max_fee_per_gas, max_priority_fee_per_gas)
      values (${hash}, ${id}, 1, 1)`)
    hashes.push(hash)
  }
  await eventually(
    () => world.node.ask('eth_getTransactionCount', account.address, 'latest'),
    (count) => count === toHex(2),
  )
  await world.startEngine()
  const receipts = await Promise.all(
    hashes.map((hash) =>
      world.node.ask<{ gasUsed: Hex; effectiveGasPrice: Hex }>('eth_getTransactionReceipt', hash),
    ),
  )
  const fee = receipts.reduce((sum, one) => sum + BigInt(one.gasUsed) * BigInt(one.effectiveGasPrice), 0n)
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed', hash: hashes[0], fee }])
})

test('transactions that cannot be reviewed do not block later ones', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const reviewer = {
    queued: async ({ reference }: { reference: string }) => {
      if (reference !== '40') throw new Error('its simulation takes too long')
      return null
    },
  }
  const engine = await world.startEngine({ config, reviewer })
  await engine.stop()
  await world.enqueue(engine, 41)
  await world.pool.query(sql.typeAlias('void')`update outbound_tx set created_at = now() - interval '1 hour'`)
  const next = await world.startEngine({ config, reviewer })
  expect(await world.settled(1)).toMatchObject([{ reference: '40', status: 'confirmed' }])
  expect(await next.pending(CHAIN_ID)).toBe(40)
})

test('a transaction that nodes dropped is checked before it is sent again, and ends with the reason where it would fail', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  let reason: string | null = 'its root has moved on'
  const reviewer = { queued: async () => null, again: async () => reason }
  const engine = await world.startEngine({ config: { ...config, reviewAfterMs: 600_000 }, reviewer })
  const [id] = await world.enqueue(engine, 1)
  const sent = await engine.waitUntilSent(id ?? '', never)
  await world.node.ask('anvil_dropTransaction', 'hash' in sent ? sent.hash : null)
  expect(await world.settled(1)).toMatchObject([{ status: 'abandoned', reason, fee: null }])
  // Its nonce is free for the next, which may be sent again.
  reason = null
  const [next] = await world.enqueue(engine, 1, {}, 1)
  const second = await engine.waitUntilSent(next ?? '', never)
  await world.node.ask('anvil_dropTransaction', 'hash' in second ? second.hash : null)
  await eventually(
    () => world.node.ask('eth_getTransactionByHash', 'hash' in second ? second.hash : null),
    (known) => known !== null,
  )
  await world.node.ask('evm_mine')
  await world.settled(2)
  expect(await world.nonceOf(0)).toBe(1)
})

test('a dropped transaction that would fail is given up only once that is final, and is sent again if a reorg made it fit', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  let reason: string | null = 'its root is gone with its block'
  let asked = 0
  const again = async () => {
    asked += 1
    return reason
  }
  const engine = await world.startEngine({
    confirmations: 3,
    config: { ...config, reviewAfterMs: 600_000 },
    reviewer: { queued: async () => null, again },
  })
  const mineWhenAsked = async (blocks: number) => {
    for (let block = 0; block < blocks; block += 1) {
      const before = asked
      await eventually(
        async () => asked,
        (count) => count > before + 1,
      )
      await world.node.ask('evm_mine')
    }
  }
  const [id] = await world.enqueue(engine, 1)
  const sent = await engine.waitUntilSent(id ?? '', never)
  await world.node.ask('anvil_dropTransaction', 'hash' in sent ? sent.hash : null)
  await mineWhenAsked(2)
  expect(await world.bookings()).toEqual([])
  reason = null
  await eventually(
    () => world.node.ask('eth_getTransactionByHash', 'hash' in sent ? sent.hash : null),
    (known) => known !== null,
  )
  reason = 'its root has moved on'
  await world.node.ask('anvil_dropTransaction', 'hash' in sent ? sent.hash : null)
  await mineWhenAsked(3)
  expect(await world.settled(1)).toMatchObject([{ status: 'abandoned', reason }])
})

test('a transaction is checked before another instance sends it again after a takeover', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  const first = await world.startEngine({ config })
  const [id] = await world.enqueue(first, 1)
  const sent = await first.waitUntilSent(id ?? '', never)
  await first.stop()
  await world.node.ask('anvil_dropTransaction', 'hash' in sent ? sent.hash : null)
  const reviewer = { queued: async () => null, again: async () => 'its root has moved on' }
  await world.startEngine({ config: { ...config, reviewAfterMs: 600_000 }, reviewer })
  expect(await world.settled(1)).toMatchObject([{ status: 'abandoned', reason: 'its root has moved on' }])
})

test('a transaction that would fail is not offered at a higher price, and one that cannot be checked is not sent again', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  let asked = 0
  let isSent = false
  const reviewer = {
    queued: async () => null,
    again: async ({ reference }: { reference: string }) => {
      if (!isSent) return null
      asked += 1
      if (reference === '1') throw new Error('no node answers')
      return 'its root has moved on'
    },
  }
  const engine = await world.startEngine({
    config: { reviewAfterMs: 600_000, resendAfterMs: 200, bumpAfterMs: 2_000 },
    reviewer,
  })
  for (const id of await world.enqueue(engine, 2)) await engine.waitUntilSent(id, never)
  isSent = true
  await eventually(
    async () => asked,
    (count) => count >= 3,
  )
  // A node holds both: they are neither given up nor replaced.
  expect(await world.bookings()).toEqual([])
  const forms = await world.pool.anyFirst(
    sql.type(z.object({ forms: z.bigint() }))`select count(*) as forms from outbound_attempt`,
  )
  expect(forms).toEqual([2n])
})

test('a queued transaction that would fail ends only once that is final, and is sent if a reorg made it fit', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  let reason: string | null = 'its root is gone with its block'
  let asked = 0
  const queued = async () => {
    asked += 1
    return reason
  }
  const askedTwice = async () => {
    const before = asked
    await eventually(
      async () => asked,
      (count) => count > before + 1,
    )
  }
  const enqueueOld = async (place: number) => {
    const stopped = await world.startEngine({ config, reviewer: { queued } })
    await stopped.stop()
    const [id] = await world.enqueue(stopped, 1, {}, place)
    await world.pool.query(sql.typeAlias('void')`
      update outbound_tx set created_at = now() - interval '1 hour' where status = 'queued'`)
    return id ?? ''
  }
  const first = await enqueueOld(0)
  const engine = await world.startEngine({ confirmations: 3, config, reviewer: { queued } })
  for (let block = 0; block < 2; block += 1) {
    await askedTwice()
    await world.node.ask('evm_mine')
  }
  await askedTwice()
  expect(await world.bookings()).toEqual([])
  reason = null
  expect(await engine.waitUntilSent(first, never)).toHaveProperty('hash')
  await engine.stop()

  reason = 'its root has moved on'
  await enqueueOld(1)
  await world.startEngine({ confirmations: 3, config, reviewer: { queued } })
  for (let block = 0; block < 3; block += 1) {
    await askedTwice()
    await world.node.ask('evm_mine')
  }
  await eventually(
    () => world.bookings(),
    (bookings) => JSON.stringify(bookings).includes('its root has moved on'),
  )
})
