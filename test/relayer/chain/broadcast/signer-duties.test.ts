import { toHex, parseEther } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { makeSentTable, sendOne } from './send-one.ts'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID, signerAddress } from './start-engine.ts'

/** Two of sends, and two of relays behind them. */
const APART = { signers: 2, relaySigners: 2 }
const SENDS = [0, 1]
const RELAYS = [2, 3]
/** Long enough that nothing in a test comes about because it ended. */
const LONG = { leaseMs: 600_000 }

let world: World
beforeEach(async () => {
  world = await startBroadcastWorld({ signers: 4 })
})
afterEach(() => world.stop())

/** The numbers of the calls that signers sent; their own transfers of nothing are left out. */
async function callsOf(signers: readonly number[]): Promise<number[]> {
  const lines = await Promise.all(signers.map(world.minedFrom))
  for (const line of lines)
    expect(line.map(({ nonce }) => nonce)).toEqual(line.map((_, position) => position))
  return lines
    .flat()
    .flatMap(({ input }) => (input === '0x' ? [] : [Number(input)]))
    .toSorted((a, b) => a - b)
}
const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => first + place)

const setBalances = async (signers: readonly number[], ether: string) => {
  for (const index of signers)
    await world.node.ask('anvil_setBalance', signerAddress(index), toHex(parseEther(ether)))
}

test('relays are sent by their signers alone and sends by theirs: at once, from the queue, and to fill nonces', async () => {
  await makeSentTable(world.pool)
  const engine = await world.startEngine(APART)
  for (const place of numbersFrom(0, 12)) await sendOne(engine, place, place, place < 6 ? 'test' : 'relay')
  await world.settled(12)
  // A send with too little gas is refused after it got its nonce, which goes to others or is filled.
  for (const [kind, first] of [
    ['test', 100],
    ['relay', 200],
  ] as const)
    for (const [place, gasLimit] of [50_000n, 20_000n, 50_000n, 20_000n].entries())
      await world.enqueue(engine, 5, { kind, gasLimit }, first + 5 * place)
  await world.settled(52)
  const done = (first: number) => [...numbersFrom(first, 5), ...numbersFrom(first + 10, 5)]
  expect(await callsOf(SENDS)).toEqual([...numbersFrom(0, 6), ...done(100)])
  expect(await callsOf(RELAYS)).toEqual([...numbersFrom(6, 6), ...done(200)])
  const senders = ['sends', 'relays'] as const
  expect(senders.map((duty) => engine.simulationSender(CHAIN_ID, duty))).toEqual([
    expect.toBeOneOf(SENDS.map(signerAddress)),
    expect.toBeOneOf(RELAYS.map(signerAddress)),
  ])
})

test('relays whose signers have no coins wait for these, and delay no send', async () => {
  await setBalances(RELAYS, '0')
  const engine = await world.startEngine(APART)
  // More than one round of the queue takes.
  await world.enqueue(engine, 40, { kind: 'relay' })
  await world.enqueue(engine, 5, {}, 100)
  await world.settled(5)
  expect(engine.simulationSender(CHAIN_ID, 'relays')).toBe(null)
  expect(engine.runway(CHAIN_ID, 'relays')).toBe(0)
  expect(engine.runway(CHAIN_ID, 'sends')).toBeGreaterThan(0)
  expect(await callsOf(SENDS)).toEqual(numbersFrom(100, 5))
  await setBalances(RELAYS, '1')
  await world.node.ask('anvil_mine', '0x1')
  await world.settled(45)
  expect(await callsOf(SENDS)).toEqual(numbersFrom(100, 5))
  expect(await callsOf(RELAYS)).toEqual(numbersFrom(0, 40))
})

test('each of two instances gets signers of both kinds', async () => {
  for (let count = 0; count < 2; count += 1) await world.startEngine({ ...APART, config: LONG })
  const owners = async () => {
    const rows = await world.pool.any(sql.type(
      z.object({ address: z.string(), owner: z.string().nullable() }),
    )`
      select address, lease_owner::text as owner from signer`)
    return [SENDS, RELAYS].map(
      (indexes) =>
        new Set(indexes.map((index) => rows.find(({ address }) => address === signerAddress(index))?.owner))
          .size,
    )
  }
  await expect.poll(owners).toEqual([2, 2])
})
