import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSlices, nextSlice } from '../../../relayer/concurrency/next-slice.ts'

const WORKS = 20
const SLICES = 5

it('of many long works one slice runs in each turn of the event loop, in their order', async () => {
  const ran: { work: number; turn: number }[] = []
  const clock = { turn: 0, isOn: true }
  const ticking = (async () => {
    for (; clock.isOn; clock.turn += 1) await setImmediate()
  })()
  await Promise.all(
    Array.from({ length: WORKS }, async (_, work) => {
      for (let slice = 0; slice < SLICES; slice += 1) {
        await nextSlice()
        ran.push({ work, turn: clock.turn })
      }
    }),
  )
  clock.isOn = false
  await ticking
  expect(new Set(ran.map(({ turn }) => turn)).size).toBe(WORKS * SLICES)
  expect(ran.map(({ work }) => work)).toEqual(
    Array.from({ length: WORKS * SLICES }, (_, place) => place % WORKS),
  )
})

it('work that has taken a millisecond ends its slice, and less does not', async () => {
  const paced = createSlices()
  const since = performance.now()
  while (performance.now() - since < 2);
  const turn = paced()
  expect(turn).toBeInstanceOf(Promise)
  await turn
})
