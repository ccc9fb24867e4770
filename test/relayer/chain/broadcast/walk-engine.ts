import type { Hash } from 'viem'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import type { BroadcastEngine } from '../../../../relayer/chain/broadcast/broadcast-engine.ts'
import { step } from '../../../../relayer/chain/broadcast/nonce-machine.ts'
import { type NonceEvent, type NonceState, stateOf } from '../../../../relayer/chain/broadcast/nonce-terms.ts'
import { eventually, startBroadcastWorld } from './start-broadcast-world.ts'
import { startNodeDoor, type NodeDoor } from './start-node-door.ts'

const COMPLAINT = { code: -32_000, message: 'upstream request timed out' }

/** How the only node answers offers, and which events the machine gets from it. */
const ANSWERS: Record<string, { events: readonly NonceEvent[]; gets: boolean; set(door: NodeDoor): void }> = {
  'takes it': { events: ['accepted'], gets: true, set: () => undefined },
  'takes it without a word': {
    events: ['silence'],
    gets: true,
    set: (door) => door.alter('eth_sendRawTransaction', () => COMPLAINT),
  },
  complains: {
    events: ['silence'],
    gets: false,
    set: (door) => door.refuse('eth_sendRawTransaction', COMPLAINT),
  },
  'has no room': {
    events: ['refused-by-all', 'busy'],
    gets: false,
    set: (door) => door.refuse('eth_sendRawTransaction', { code: -32_000, message: 'txpool is full' }),
  },
  'finds it cheap': {
    events: ['refused-by-all', 'market'],
    gets: false,
    set: (door) =>
      door.refuse('eth_sendRawTransaction', {
        code: -32_000,
        message: 'max fee per gas less than block base fee: address 0x, maxFeePerGas: 1, baseFee: 2',
      }),
  },
}

const row = z.object({
  status: z.enum(['queued', 'signed', 'sent', 'confirmed', 'reverted', 'abandoned']),
  minedHash: z.string().nullable(),
  deliveries: z.array(z.enum(['unknown', 'accepted', 'refused'])),
})

/**
 * Leads one transaction of a real engine through the states that the machine predicts, with a real node and database.
 * @param choose Chooses the next step: a number below `options`.
 * @returns The steps, for the report of a failure.
 * @throws Error if the row misses the predicted state, or the transaction is not mined and booked exactly once.
 */
export async function walkEngine(choose: (options: number) => number, steps: number): Promise<string[]> {
  const world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  const door = await startNodeDoor(world.node.url)
  const settings = {
    rpcUrls: [door.url],
    confirmations: 1,
    config: { resendAfterMs: 100, bumpAfterMs: 600_000, leaseMs: 60_000 },
  }
  const told: string[] = []
  let engine: BroadcastEngine = await world.startEngine(settings)
  let state: NonceState = 'queued'
  let isInPool = false

  const readState = async () => {
    const { deliveries, ...facts } = await world.pool.one(sql.type(row)`
      select status, mined_hash as "minedHash", array(
        select delivery from outbound_attempt where outbound_id = outbound_tx.id) as deliveries
      from outbound_tx where kind = 'test'`)
    return stateOf({ ...facts, forms: deliveries.map((delivery) => ({ delivery })) })
  }
  const hear = (...events: NonceEvent[]) => {
    for (const event of events) state = step({ state, purpose: 'call' }, event).to
  }
  const arrive = async (what: string) => {
    told.push(`${what}: ${state}`)
    await eventually(readState, (now) => now === state)
  }
  const answer = (name: string) => {
    const { set, gets, events } = ANSWERS[name]!
    door.refuse('eth_sendRawTransaction')
    door.alter('eth_sendRawTransaction')
    set(door)
    return { gets, events }
  }
  const hashes = () =>
    world.pool.anyFirst(sql.type(z.object({ hash: z.string() }))`select hash from outbound_attempt`)

  async function offer(name: string): Promise<void> {
    const { gets, events } = answer(name)
    if (state === 'queued') {
      hear('assigned')
      await world.enqueue(engine, 1)
    } else if (state !== 'mined') hear('due')
    // The node reports a form that it already has as known, unless the proxy hides that.
    if (state !== 'mined') hear(...events)
    isInPool ||= gets && state !== 'mined'
    await arrive(`the node ${name}`)
    if (gets && state !== 'mined')
      await eventually(
        () => world.node.ask<{ pending: string }>('txpool_status'),
        ({ pending }) => Number(pending) === 1,
      )
  }
  async function mine(): Promise<void> {
    if (state === 'mined' || !isInPool) return
    await world.node.ask('evm_mine')
    isInPool = false
    hear('receipt')
    await arrive('a block has it')
  }
  async function reorg(): Promise<void> {
    if (state !== 'mined') return
    // Until the engine learns that the block is gone, it must not offer the form again.
    answer('complains')
    await world.node.ask('anvil_reorg', 1, [])
    await world.node.ask('anvil_dropAllTransactions')
    hear('receipt-gone')
    await arrive('the block is gone')
  }
  async function drop(): Promise<void> {
    if (!isInPool) return
    answer('complains')
    for (const hash of await hashes())
      await world.node.ask('anvil_dropTransaction', hash as Hash).catch(() => undefined)
    isInPool = false
    await arrive('the node forgets it')
  }
  async function restart(): Promise<void> {
    await engine.stop()
    engine = await world.startEngine(settings)
    hear('let-go')
    await arrive('another instance takes over')
  }

  try {
    await world.node.ask('anvil_mine', '0x3')
    const names = Object.keys(ANSWERS)
    await offer(names[choose(names.length)]!)
    for (let count = 0; count < steps; count += 1) {
      const actions = [() => offer(names[choose(names.length)]!), mine, reorg, drop, restart]
      await actions[choose(actions.length)]!()
    }
    await offer('takes it')
    await mine()
    hear('final-success')
    await world.node.ask('evm_mine')
    await arrive('its block is final')
    const booked = await world.settled(1)
    const mined = await world.minedFrom(0)
    if (booked.length !== 1 || mined.length !== 1 || mined[0]?.nonce !== 0)
      throw new Error(`booked ${booked.length} times, mined ${mined.length} times`)
    return told
  } catch (error) {
    throw new Error(`after: ${told.join(' → ')}`, { cause: error })
  } finally {
    await world.stop()
    await door.close()
  }
}
