import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'

/** The contract of every implementation; the two views are two instances that share one state. */
export function describeContract(openViews: () => Promise<[SharedState, SharedState]>): void {
  let here: SharedState
  let there: SharedState
  beforeAll(async () => {
    ;[here, there] = await openViews()
  })
  afterAll(async () => {
    await Promise.all([here.close(), there.close()])
  })

  it('reports itself healthy', async () => {
    await expect.poll(() => here.healthy()).toBe(true)
  })

  it('stores a value for every instance, until it is set again or deleted', async () => {
    expect(await there.get('colour')).toBeNull()
    await here.set('colour', 'blau — «青»', 60_000)
    expect(await there.get('colour')).toBe('blau — «青»')
    await there.set('colour', '', 60_000)
    expect(await here.get('colour')).toBe('')
    await here.delete('colour')
    await here.delete('colour')
    expect(await there.get('colour')).toBeNull()
  })

  it('forgets a value after its time to live, which setting it again renews', async () => {
    await here.set('short', 'a', 40)
    await here.set('renewed', 'a', 40)
    await here.set('renewed', 'b', 60_000)
    await expect.poll(() => here.get('short')).toBeNull()
    expect(await here.get('renewed')).toBe('b')
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuses a time to live of %s ms', async (ttlMs) => {
    await expect(here.set('never', 'a', ttlMs)).rejects.toThrow(RangeError)
  })

  it('brings a message to every listener of its topic, in order, and to no other', async () => {
    const heard: string[] = []
    const stops = [
      await here.subscribe('news', (message) => heard.push(`here ${message}`)),
      await there.subscribe('news', (message) => heard.push(`there ${message}`)),
      await there.subscribe('newsletter', (message) => heard.push(`other ${message}`)),
    ]
    await here.publish('news', '1')
    await here.publish('news', '2')
    await expect.poll(() => heard.filter((line) => line.startsWith('here'))).toEqual(['here 1', 'here 2'])
    await expect.poll(() => heard.filter((line) => line.startsWith('there'))).toEqual(['there 1', 'there 2'])
    expect(heard).toHaveLength(4)
    await Promise.all(stops.map((stop) => stop()))
  })

  it('ends one subscription and leaves the others', async () => {
    const heard: string[] = []
    const stopFirst = await here.subscribe('ticks', (message) => heard.push(`first ${message}`))
    const stopSecond = await here.subscribe('ticks', (message) => heard.push(`second ${message}`))
    await stopFirst()
    await stopFirst()
    await there.publish('ticks', 'x')
    await expect.poll(() => heard).toEqual(['second x'])
    await stopSecond()
  })

  it('serves the other listeners when one throws', async () => {
    const heard: string[] = []
    const stops = [
      await here.subscribe('trouble', () => {
        throw new Error('a listener at fault')
      }),
      await here.subscribe('trouble', (message) => heard.push(message)),
    ]
    await here.publish('trouble', 'still here')
    await expect.poll(() => heard).toEqual(['still here'])
    await Promise.all(stops.map((stop) => stop()))
  })

  it('counts by key for all instances together, in windows that end', async () => {
    const policy = { name: 'visits', points: 2, seconds: 3 }
    const counters = [here.rateCounter(policy), there.rateCounter(policy)]
    const taken: number[] = []
    for (const counter of [...counters, ...counters]) {
      const state = await counter.take('somebody')
      taken.push(state.taken)
      expect(state.resetMs).toBeGreaterThan(0)
      expect(state.resetMs).toBeLessThanOrEqual(3_000)
    }
    expect(taken).toEqual([1, 2, 3, 4])
    expect(await here.rateCounter(policy).take('somebody else')).toMatchObject({ taken: 1 })
    expect(await here.rateCounter({ ...policy, name: 'calls' }).take('somebody')).toMatchObject({ taken: 1 })
    await expect.poll(async () => (await there.rateCounter(policy).take('somebody')).taken).toBe(1)
  })

  it('takes as many points at once as are asked for, for all instances together', async () => {
    const policy = { name: 'points', points: 10, seconds: 60 }
    const [one, other] = [here.rateCounter(policy), there.rateCounter(policy)]
    expect([(await one.take('somebody', 7)).taken, (await other.take('somebody', 30)).taken]).toEqual([7, 37])
    expect((await one.take('somebody')).taken).toBe(38)
  })
}
