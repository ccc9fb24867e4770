import { numberToHex, parseEther, type Address, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askOne } from '../../../../../relayer/chain/indexer/ask-nodes.ts'
import type { TracingMode } from '../../../../../relayer/chain/indexer/block-facts.ts'
import type { RawBlock } from '../../../../../relayer/chain/indexer/raw-block.ts'
import { traceBlock, type TraceModes } from '../../../../../relayer/chain/indexer/trace-block.ts'
import { randomAddress } from '../chain-calls.ts'
import { runSteps } from './move-steps.ts'
import { startMoveWorld, type MoveWorld } from './start-move-world.ts'

let world: MoveWorld
const talker = randomAddress()
const to = randomAddress().toLowerCase() as Address
beforeAll(async () => {
  world = await startMoveWorld()
  // Sends 100,000 bytes to an empty address as often as its input says, at a few hundred gas each, then pays one
  // coin.
  const [size, nobody] = [numberToHex(100_000, { size: 4 }).slice(2), `${'00'.repeat(18)}dead`]
  const loop = `6000355b6000600063${size}6000600073${nobody}5af15060019003806003`
  const code: Hex = `0x${loop}576000600060006000600173${to.slice(2)}5af100`
  await world.ask('anvil_setCode', talker, code)
  await world.ask('anvil_setBalance', talker, numberToHex(parseEther('1')))
})
afterAll(() => world?.[Symbol.asyncDispose]())

const talk = (times: number, value: bigint) => ({ to: talker, value, data: numberToHex(times, { size: 32 }) })
const payInside = () => ({ to: world.mover, value: 1n, data: runSteps({ kind: 'call', to, value: 9n }) })

/** The moves of a block by a node that is known to support a form of tracing. */
async function trace(block: RawBlock, form: TracingMode) {
  const { rpcUrl } = world
  const modes: TraceModes = new Map([[rpcUrl, { mode: form, learnt: Date.now() }]])
  const { mode, moves } = await traceBlock(askOne({ timeoutMs: 30_000 }, rpcUrl), rpcUrl, block, modes)
  expect(modes.get(rpcUrl)?.mode).toBe(form)
  return { mode, moves: moves?.map(({ txIndex, item, value }) => [txIndex, item, value]) }
}

const forms: readonly TracingMode[] = ['parity', 'debug']

test.each(forms)(
  'a block whose traces are too large together is read by transaction (%s format)',
  async (form) => {
    const block = await world.mine(payInside(), talk(180, 3n), talk(180, 4n))
    const moves = [
      [0, 0, 1n],
      [0, 1, 9n],
      [1, 0, 3n],
      [1, 1, 1n],
      [2, 0, 4n],
      [2, 1, 1n],
    ]
    expect(await trace(block, form)).toEqual({ mode: form, moves })
  },
)

test.each(forms)(
  'a transaction whose traces are too large shows its own payment only (%s format)',
  async (form) => {
    const block = await world.mine(talk(360, 3n), payInside())
    const moves = [
      [0, 0, 3n],
      [1, 0, 1n],
      [1, 1, 9n],
    ]
    expect(await trace(block, form)).toEqual({ mode: 'none', moves })
  },
)
