import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { iterateEvents, type EventListener } from '../../../relayer/concurrency/iterate-events.ts'

const tooSlow = () => new Error('too slow')

async function readAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

function open() {
  let source: EventListener<{ step: number }> | undefined
  const events = iterateEvents<{ step: number }>((listener) => (source = listener), tooSlow)
  const first = events.next()
  return { source: source!, events, first }
}

it('yields pushed events in order, those that waited included, and then ends', async () => {
  const { source, events, first } = open()
  for (const step of [1, 2, 3]) source.next({ step })
  source.end()
  const rest = await readAll(events)
  expect([(await first).value, ...rest]).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }])
})

it('stores a bounded number of events for a reader that stopped, and then an error', async () => {
  const { source, events, first } = open()
  source.next({ step: 0 })
  expect((await first).value).toEqual({ step: 0 })
  for (let step = 1; step < 10_000; step += 1) source.next({ step })
  await expect(readAll(events)).rejects.toThrow('too slow')
})

it('gives one reader after the other a turn of the event loop', async () => {
  const order: string[] = []
  const readers = Array.from({ length: 3 }, () => open())
  for (const { source } of readers) source.next({ step: 1 })
  const all = readers.map(async ({ first }) => {
    await first
    order.push('read')
    await nextTurn()
    order.push('other work')
  })
  await Promise.all(all)
  expect(order).not.toEqual(['read', 'read', 'read', 'other work', 'other work', 'other work'])
})
