import { afterEach, expect, test } from 'vitest'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { loseAnswers } from './lose-answers.ts'

let world: World
afterEach(() => world.stop())

const never = new AbortController().signal

// If it is mined immediately, the second node answers "nonce too low"; if it is in the pool, "already imported".
test.each([
  ['mined before the second node is asked', []],
  ['still in the pool when the second node is asked', ['--block-time', '1']],
])('a transaction whose answer was lost is not sent under another nonce: %s', async (_, args) => {
  world = await startBroadcastWorld({ signers: 1, args })
  const door = await loseAnswers(world.node.url)
  try {
    for (const [round, rpcUrls] of [[door.url, world.node.url], [door.url]].entries()) {
      const engine = await world.startEngine({ rpcUrls })
      const ids = await world.enqueue(engine, 3, {}, round * 3)
      for (const id of ids)
        expect(await engine.waitUntilSent(id, never)).not.toMatchObject({ status: 'abandoned' })
      await world.settled((round + 1) * 3)
      await engine.stop()
    }
    const mined = await world.minedFrom(0)
    expect(mined.map(({ nonce, input }) => [nonce, Number(input)])).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => [n, n]),
    )
    expect((await world.bookings()).map(({ status }) => status)).toEqual(Array(6).fill('confirmed'))
  } finally {
    await door.close()
  }
})
