import { pino } from 'pino'
import { parseTransaction } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { hexBytes, hexText, smallInteger } from '../../../../db/column-types.ts'
import { insertQueued } from '../../../../db/chain/broadcast/outbound-queue.ts'
import { addSigners } from '../../../../db/chain/broadcast/signer-leases.ts'
import { listUnfinished, type UnfinishedOutbound } from '../../../../db/chain/broadcast/outbound-watch.ts'
import { sql } from '../../../../db/connect-database.ts'
import { untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import type { RelayingConfig } from '../../../../relayer/chain/nodes/config.ts'
import { broadcastConfig } from '../../../../relayer/chain/broadcast/config.ts'
import { assignQueued } from '../../../../relayer/chain/broadcast/assign-queued.ts'
import { actOnAnswers } from '../../../../relayer/chain/broadcast/act-on-answers.ts'
import { giveUpNonce } from '../../../../relayer/chain/broadcast/give-up-nonce.ts'
import { keepLeases, listKeys } from '../../../../relayer/chain/broadcast/signers.ts'
import { lookAtSigners } from '../../../../relayer/chain/broadcast/look-at-signers.ts'
import { offerFirst } from '../../../../relayer/chain/broadcast/offer-forms.ts'
import { openOutbox, type OpenOutbox } from '../../../../relayer/chain/broadcast/open-outbox.ts'
import { createProgressBoard } from '../../../../relayer/chain/broadcast/progress-board.ts'
import { pushUnmined } from '../../../../relayer/chain/broadcast/push-unmined.ts'
import { replaceAttempt } from '../../../../relayer/chain/broadcast/replace-attempt.ts'
import { openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID, configureChain } from './start-engine.ts'
import { startNodeDoor, type NodeDoor } from './start-node-door.ts'

let world: World
let door: NodeDoor
let chain: OpenChain<RelayingConfig>
let opened: OpenOutbox
beforeEach(async () => {
  world = await startBroadcastWorld({ signers: 2, args: ['--no-mining'] })
  door = await startNodeDoor(world.node.url)
  const logger = pino({ level: 'silent' })
  chain = openChain(configureChain({ rpcUrls: [door.url], signers: 2 }), logger)
  await chain.start()
  const config = broadcastConfig.parse({ leaseMs: 60_000 })
  const handlers = new Map([['test', { run: async () => undefined, atOnce: 1, duty: 'sends' as const }]])
  const board = createProgressBoard(logger)
  const owner = crypto.randomUUID()
  const reviewers = new Map()
  opened = openOutbox(chain, {
    pool: world.pool,
    logger,
    config,
    owner,
    handlers,
    reviewers,
    board,
    now: Date.now,
  })
  await addSigners(world.pool, listKeys(opened.outbox))
  await keepLeases(world.pool, logger, { owner, leaseMs: 60_000 }, [opened.outbox])
  await (
    await lookAtSigners(opened.outbox)
  )()
})
afterEach(async () => {
  await opened.close()
  await chain.stop()
  await world.stop()
  await door.close()
})

const row = z.object({ signer: hexText, txNonce: smallInteger })
const current = () =>
  world.pool.maybeOne(sql.type(row)`
    select signer, tx_nonce as "txNonce" from outbound_tx where signer is not null`)
const forms = async () => {
  const raws = await world.pool.anyFirst(sql.type(z.object({ raw: hexBytes }))`
    select raw from outbound_attempt order by created_at`)
  return raws.map((raw) => parseTransaction(raw).nonce)
}

async function enqueueOne(): Promise<string> {
  const id = crypto.randomUUID()
  const queued = {
    id,
    chainId: CHAIN_ID,
    kind: 'test',
    reference: id,
    to: '0x2000000000000000000000000000000000000002',
    data: '0x01',
    value: 0n,
    gasLimit: 50_000n,
  } as const
  await insertQueued(world.pool, queued, '')
  return id
}

/** Polls once for the outbox, whose transaction is in the pool of the node. */
async function lookAtOne() {
  const { outbox } = opened
  const id = await enqueueOne()
  await opened.dispatch()
  await eventually(current, (now) => now !== null)
  await eventually(
    async () => outbox.inHand.size,
    (size) => size === 0,
  )
  const [seen] = await listUnfinished(world.pool, CHAIN_ID, outbox.owner)
  if (!seen || seen.id !== id) throw new Error('the transaction is not there')
  return seen
}

/** The same; afterwards the transaction is refused for lack of funds and moves to the other signer. */
async function lookBeforeItMoves() {
  const { outbox } = opened
  const seen = await lookAtOne()
  outbox.signers.get(seen.signer)!.balance = null
  await world.node.ask('anvil_dropTransaction', seen.attempts[0]?.hash)
  await giveUpNonce(outbox, seen, { event: 'funds', detail: 'insufficient funds' })
  await eventually(current, (now) => now !== null && now.signer !== seen.signer)
  await eventually(
    async () => outbox.inHand.size,
    (size) => size === 0,
  )
  return seen
}

test('a transaction that moved to another signer is not sent again under its old nonce', async () => {
  const seen = await lookBeforeItMoves()
  const before = await forms()
  await replaceAttempt(opened.outbox, seen)
  expect(await forms()).toEqual(before)
})

test('a transaction does not lose its new nonce because the same number was used by its old signer', async () => {
  const seen = await lookBeforeItMoves()
  const now = await current()
  expect(now).toMatchObject({ txNonce: seen.txNonce })
  await giveUpNonce(opened.outbox, seen, { event: 'nonce-taken', detail: '' })
  expect(await current()).toEqual(now)
})

const statusOf = (id: string) =>
  world.pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from outbound_tx where id = ${id}`)
const refusalOf = (outbound: UnfinishedOutbound) => ({
  outbound,
  state: 'sent' as const,
  hash: outbound.attempts[0]!.hash,
  sent: { status: 'refused', refusal: 'invalid', message: 'no', isCertain: false } as const,
})
const hasNode = async (hash: string | undefined) =>
  (await world.node.ask('eth_getTransactionByHash', hash)) !== null

test('a transaction that was abandoned since the list was read is not sent again', async () => {
  const { outbox } = opened
  const seen = await lookAtOne()
  const hash = seen.attempts[0]?.hash
  await world.node.ask('anvil_dropTransaction', hash)
  await actOnAnswers(outbox, [refusalOf(seen)])
  expect(await statusOf(seen.id)).toBe('abandoned')
  // The list was read before.
  await pushUnmined(outbox, [seen])
  expect(await hasNode(hash)).toBe(false)
})

test('a transaction is not abandoned while it is being sent', async () => {
  const { outbox } = opened
  const seen = await lookAtOne()
  const hash = seen.attempts[0]?.hash
  await world.node.ask('anvil_dropTransaction', hash)
  outbox.handedOverAt.clear()
  const before = door.asked('eth_sendRawTransaction')
  const letThrough = door.hold('eth_sendRawTransaction')
  const pushing = pushUnmined(outbox, [seen])
  await eventually(
    async () => door.asked('eth_sendRawTransaction'),
    (asked) => asked > before,
  )
  const abandoning = actOnAnswers(outbox, [refusalOf(seen)])
  await Promise.race([abandoning, untilSomebodyWaits(world.pool)])
  letThrough()
  await Promise.all([pushing, abandoning])
  expect(await hasNode(hash)).toBe(true)
  expect(await statusOf(seen.id)).toBe('sent')
})

test('a first offer to the nodes is not abandoned while it runs', async () => {
  const { outbox } = opened
  const id = await enqueueOne()
  const letThrough = door.hold('eth_sendRawTransaction')
  await opened.dispatch()
  await eventually(
    async () => door.asked('eth_sendRawTransaction'),
    (asked) => asked > 0,
  )
  // As an instance does that has the lease now and offers the transaction itself.
  const [seen] = await listUnfinished(world.pool, CHAIN_ID, outbox.owner)
  const abandoning = actOnAnswers(outbox, [refusalOf(seen!)])
  await Promise.race([abandoning, untilSomebodyWaits(world.pool)])
  letThrough()
  await abandoning
  await eventually(
    async () => outbox.inHand.size,
    (size) => size === 0,
  )
  expect(await hasNode(seen!.attempts[0]?.hash)).toBe(true)
  expect(await statusOf(id)).toBe('sent')
})

test('no node gets a transaction whose signer another instance has leased meanwhile', async () => {
  const { outbox } = opened
  await enqueueOne()
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const { assigned } = await assignQueued(outbox, fees, 'all')
  await world.pool.query(sql.typeAlias('void')`update signer set lease_owner = ${crypto.randomUUID()}::uuid`)
  const outbounds = assigned.map(({ outbound }) => outbound)
  expect(await offerFirst(outbox, outbounds)).toEqual([])
  expect(await hasNode(assigned[0]?.assignment.attempt.hash)).toBe(false)
})

const FEES = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }

/** Signs a transaction that was not given to nodes before. */
async function assignOne() {
  const id = await enqueueOne()
  const { assigned } = await assignQueued(opened.outbox, FEES, 'all')
  const offers = assigned.map(({ outbound, assignment }) => ({
    ...outbound,
    refusals: 0,
    attempts: [assignment.attempt],
  }))
  return { id, offers }
}

test('a first offer that comes after one of the watcher does not prove that no node has the transaction', async () => {
  const { outbox } = opened
  const { id, offers } = await assignOne()
  const [seen] = await listUnfinished(world.pool, CHAIN_ID, outbox.owner)
  outbox.inHand.clear()
  door.alter('eth_sendRawTransaction', () => ({ code: -32603, message: 'upstream timed out' }))
  await pushUnmined(outbox, [seen!])
  door.alter('eth_sendRawTransaction')
  await world.node.ask('evm_mine')
  await chain.refresh()
  door.alter('eth_getTransactionReceipt', () => null)
  await actOnAnswers(outbox, await offerFirst(outbox, offers))
  expect(await statusOf(id)).toBe('signed')
  expect(await current()).toMatchObject({ txNonce: offers[0]!.txNonce })
})

test('a provider that calls the nonce of a mined transaction used causes no second send', async () => {
  const { outbox } = opened
  const { id, offers } = await assignOne()
  door.alter('eth_sendRawTransaction', () => ({ code: -32000, message: 'nonce too low' }))
  const answers = await offerFirst(outbox, offers)
  door.alter('eth_sendRawTransaction')
  await world.node.ask('evm_mine')
  await chain.refresh()
  await actOnAnswers(outbox, answers)
  expect(await statusOf(id)).toBe('signed')
})

test('transactions that come during two pending offers are offered together, not one pair after another', async () => {
  const { outbox } = opened
  const letThrough = door.hold('eth_sendRawTransaction')
  const comeSingly = async (count: number) => {
    const before = outbox.inHand.size
    for (let come = 1; come <= count; come += 1) {
      await enqueueOne()
      await opened.dispatch()
      expect(outbox.inHand.size).toBe(before + come)
    }
  }
  const offered = (count: number) =>
    eventually(
      async () => door.asked('eth_sendRawTransaction'),
      (asked) => asked === count,
    )
  await comeSingly(2)
  await offered(2)
  await comeSingly(6)
  expect(door.asked('eth_sendRawTransaction')).toBe(2)
  letThrough()
  const letTheRestThrough = door.hold('eth_sendRawTransaction')
  await offered(8)
  // All six at once: of one pair after another, each would be asked about only once the pair before was given up.
  expect(outbox.inHand.size).toBeGreaterThanOrEqual(6)
  letTheRestThrough()
  await eventually(
    async () => outbox.inHand.size,
    (size) => size === 0,
  )
})

test('a transaction that its kind cannot book holds up no other', async () => {
  const { outbox } = opened
  const ids = [await enqueueOne(), await enqueueOne()]
  await opened.dispatch()
  await eventually(
    async () => outbox.inHand.size,
    (size) => size === 0,
  )
  const seen = await listUnfinished(world.pool, CHAIN_ID, outbox.owner)
  for (const { attempts } of seen) await world.node.ask('anvil_dropTransaction', attempts[0]?.hash)
  vi.spyOn(outbox.handlers.get('test')!, 'run').mockImplementation(async (_transaction, settled) => {
    if (settled.some(({ outbound }) => outbound.id === seen[0]!.id)) throw new Error('nobody knows it')
  })
  await actOnAnswers(outbox, seen.map(refusalOf))
  expect(await Promise.all(ids.map(statusOf))).toEqual(
    ids.map((id) => (id === seen[0]!.id ? 'sent' : 'abandoned')),
  )
})

test('a transaction that all nodes refused counts as possibly known once another instance may have offered it', async () => {
  const { outbox } = opened
  const { offers } = await assignOne()
  door.refuse('eth_sendRawTransaction', { code: -32000, message: 'txpool is full' })
  const answers = await offerFirst(outbox, offers)
  await world.pool.query(sql.typeAlias('void')`update signer set lease_owner = ${crypto.randomUUID()}::uuid`)
  await actOnAnswers(outbox, answers)
  const delivery = sql.type(z.object({ delivery: z.string() }))`select delivery from outbound_attempt`
  expect(await world.pool.oneFirst(delivery)).toBe('unknown')
})
