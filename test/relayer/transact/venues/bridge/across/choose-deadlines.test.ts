import { expect, it } from 'vitest'
import { chooseDeadlines } from '../../../../../../relayer/transact/venues/bridge/across/choose-deadlines.ts'

const NOW = 1_790_000_000
const BUFFERS = { quoteTime: 3_600, fillDeadline: 21_600 }
const FILL = 3_600
const TWO_HOURS = 7_200

/** The checks of the SpokePool's `deposit` in a block with that timestamp. */
const isTaken = (
  { quoteTimestamp, fillDeadline }: { quoteTimestamp: number; fillDeadline: number },
  blockTime: number,
  buffers = BUFFERS,
) =>
  blockTime >= quoteTimestamp &&
  blockTime - quoteTimestamp <= buffers.quoteTime &&
  fillDeadline <= blockTime + buffers.fillDeadline

it('whatever the clocks and the suggestion, the contract accepts the deposit from now until its last moment', () => {
  const offsets = [-30_000, -TWO_HOURS, -700, -12, 0, 12, 700, TWO_HOURS, 20_000]
  const buffers = [BUFFERS, { quoteTime: 600, fillDeadline: 7_200 }]
  const found = offsets.flatMap((destination) =>
    offsets.flatMap((suggested) =>
      [0, 12, 1_799, 4_000, 500_000].flatMap((idle) =>
        buffers.flatMap((buffer) => {
          const clocks = { origin: NOW, originNext: NOW + idle, destination: NOW + destination }
          const chosen = chooseDeadlines(clocks, buffer, { suggested: NOW + suggested, fillSeconds: FILL })
          return chosen ? [{ clocks, buffer, chosen }] : []
        }),
      ),
    ),
  )
  expect(found.length).toBeGreaterThan(200)
  for (const { clocks, buffer, chosen } of found) {
    const { originNext, destination } = clocks
    expect(isTaken(chosen, originNext, buffer)).toBe(true)
    expect(isTaken(chosen, chosen.depositUntil, buffer)).toBe(true)
    expect(chosen.depositUntil).toBeGreaterThanOrEqual(originNext + 60)
    // A deposit at the last moment can still be filled: fillers have as much time as signing took.
    expect(chosen.fillDeadline - (chosen.depositUntil - originNext)).toBeGreaterThan(
      Math.max(originNext, destination),
    )
  }
})

it('the deadline counts from the later of both chains’ clocks', () => {
  const clocks = { origin: NOW, originNext: NOW + 12, destination: NOW + TWO_HOURS }
  const options = { suggested: NOW - 5, fillSeconds: FILL }
  expect(chooseDeadlines(clocks, BUFFERS, options)).toMatchObject({
    quoteTimestamp: NOW - 5,
    fillDeadline: NOW + TWO_HOURS + FILL,
  })
  expect(chooseDeadlines({ ...clocks, destination: NOW - TWO_HOURS }, BUFFERS, options)).toMatchObject({
    fillDeadline: NOW + 12 + FILL,
  })
})

it('a suggested timestamp that is ahead of the chain, or stale, is replaced by the chain’s own', () => {
  const clocks = { origin: NOW, originNext: NOW + 12, destination: NOW }
  for (const suggested of [NOW + 1, NOW + 4_000_000, NOW - 601, 0])
    expect(chooseDeadlines(clocks, BUFFERS, { suggested, fillSeconds: FILL })?.quoteTimestamp).toBe(NOW)
})

it("the service deposits nothing if the destination’s clock is beyond the origin's limit", () => {
  const clocks = { origin: NOW, originNext: NOW + 12, destination: NOW + 21_600 }
  expect(chooseDeadlines(clocks, BUFFERS, { suggested: NOW, fillSeconds: FILL })).toBeNull()
})
