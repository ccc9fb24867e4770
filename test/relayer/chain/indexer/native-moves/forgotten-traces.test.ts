import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { askOne } from '../../../../../relayer/chain/indexer/ask-nodes.ts'
import type { RawBlock } from '../../../../../relayer/chain/indexer/raw-block.ts'
import { traceBlock, type TraceModes } from '../../../../../relayer/chain/indexer/trace-block.ts'
import { randomAddress } from '../chain-calls.ts'
import { startLyingDoor, type Fault } from '../start-lying-door.ts'
import { bornWith, runSteps, type Step } from './move-steps.ts'
import { startMoveWorld, type MoveWorld } from './start-move-world.ts'

let world: MoveWorld
const doors: { close(): Promise<void> }[] = []
beforeAll(async () => {
  world = await startMoveWorld()
})
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close()
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** A connection to the chain without some methods or some traces, and the abilities that the reader learns. */
async function openWay(lacks: RegExp | null = null, fault?: Fault) {
  const door = await startLyingDoor(world.rpcUrl, 1, lacks)
  if (fault) door.set({ share: 1, kinds: [fault] })
  doors.push(door)
  const modes: TraceModes = new Map()
  const asked: string[] = []
  const ask = askOne({ timeoutMs: 10_000 }, door.url)
  return {
    door,
    asked,
    learnt: () => modes.get(door.url)?.mode,
    trace: (block: RawBlock) =>
      traceBlock(
        (requests) => {
          asked.push(...requests.map(({ method }) => method))
          return ask(requests)
        },
        door.url,
        block,
        modes,
      ),
  }
}

const nothing = { mode: 'none', moves: null }
const to = randomAddress()
const payInside = () =>
  world.mine({ to: world.mover, value: 1n, data: runSteps({ kind: 'call', to, value: parseEther('0.001') }) })

test('a node is first asked for stored traces, and once for a kind it lacks', async () => {
  const block = await payInside()
  const both = await openWay()
  expect([(await both.trace(block)).mode, (await both.trace(block)).mode]).toEqual(['parity', 'parity'])
  expect(both.asked).toEqual(['trace_block', 'trace_block'])
  const likeGeth = await openWay(/^trace_/)
  expect([(await likeGeth.trace(block)).mode, (await likeGeth.trace(block)).mode]).toEqual(['debug', 'debug'])
  expect(likeGeth.asked).toEqual(['trace_block', 'debug_traceBlockByHash', 'debug_traceBlockByHash'])
  const blind = await openWay(/^(?:trace|debug)_/)
  expect(await blind.trace(block)).toEqual(nothing)
  expect(await blind.trace(block)).toEqual(nothing)
  expect(blind.asked).toEqual(['trace_block', 'debug_traceBlockByHash'])
})

test('a resumed chain still has stored traces but cannot run its old blocks again', async () => {
  const leave: Step[] = [{ kind: 'create', value: 3n, data: bornWith({ kind: 'selfDestruct', to }) }]
  const old = await world.mine({ to: world.mover, data: runSteps(...leave, { kind: 'call', to, value: 2n }) })
  const before = await (await openWay()).trace(old)
  expect(before.moves).toHaveLength(3)
  await world.resume()
  const fresh = await payInside()
  expect(await (await openWay()).trace(old)).toEqual(before)

  const likeGeth = await openWay(/^trace_/)
  expect(await likeGeth.trace(old)).toEqual(nothing)
  expect(likeGeth.learnt()).toBeUndefined()
  expect(await likeGeth.trace(fresh)).toMatchObject({ mode: 'debug', moves: [{ item: 0 }, { item: 1 }] })
  expect(await likeGeth.trace(old)).toEqual(nothing)
  expect(likeGeth.learnt()).toBe('debug')
})

test('a block with transactions but without traces is run again, if the node can', async () => {
  const old = await payInside()
  const way = await openWay(null, 'forgotten traces')
  expect(await way.trace(old)).toMatchObject({ mode: 'debug', moves: [{ item: 0 }, { item: 1 }] })
  expect(way.learnt()).toBeUndefined()
  const parityAlone = await openWay(/^debug_/)
  expect((await parityAlone.trace(old)).mode).toBe('parity')
  parityAlone.door.set({ share: 1, kinds: ['forgotten traces'] })
  expect(await parityAlone.trace(old)).toEqual(nothing)
  expect(parityAlone.learnt()).toBe('parity')

  await world.resume()
  const resumed = await openWay(null, 'forgotten traces')
  expect(await resumed.trace(old)).toEqual(nothing)
  expect(resumed.asked).toEqual(['trace_block', 'debug_traceBlockByHash'])
  expect(resumed.learnt()).toBeUndefined()
})

test('a transaction that the traces of its block lack is traced alone', async () => {
  const block = await world.mine(
    { to, value: 1n },
    { to: world.mover, data: runSteps({ kind: 'call', to, value: 1n }) },
  )
  const { moves } = await (await openWay()).trace(block)
  for (const lacks of [/^debug_/, /^trace_/]) {
    const way = await openWay(lacks, 'cut traces')
    expect((await way.trace(block)).moves).toEqual(moves)
    expect(way.asked).toHaveLength(lacks.source === '^debug_' ? 2 : 3)
  }
})

test('traces that lack the beginning of a transaction are not used', async () => {
  const way = await openWay(/^debug_/, 'cut traces')
  await expect(way.trace(await payInside())).rejects.toMatchObject({ name: 'WrongAnswerError' })
})

test('traces of another block at the same height are not used', async () => {
  const snapshot = await world.ask<string>('evm_snapshot')
  const gone = await payInside()
  await world.ask('evm_revert', snapshot)
  const there = await world.mine({ to, value: 7n })
  expect(there.number).toBe(gone.number)
  const way = await openWay()
  await expect(way.trace(gone)).rejects.toMatchObject({
    name: 'WrongAnswerError',
    message: 'the traces are of another block',
  })
  expect((await way.trace(there)).moves).toMatchObject([{ value: 7n }])
})

test('an empty or missing block at the same height is not used', async () => {
  const snapshot = await world.ask<string>('evm_snapshot')
  const gone = await payInside()
  await world.ask('evm_revert', snapshot)
  const way = await openWay()
  await expect(way.trace(gone)).rejects.toMatchObject({ name: 'RpcRefusal' })
  await world.ask('evm_mine')
  await expect(way.trace(gone)).rejects.toMatchObject({ name: 'RpcRefusal' })
  expect(way.learnt()).toBeUndefined()
})
