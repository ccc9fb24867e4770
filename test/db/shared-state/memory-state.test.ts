import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createMemoryState, createMemoryCounter } from '../../../db/shared-state/create-memory-state.ts'
import { openSharedState } from '../../../db/shared-state/open-shared-state.ts'
import { createTransientSecrets } from '../../../relayer/identity/transient-secrets.ts'
import { describeContract } from './shared-state-contract.ts'

const logger = pino({ level: 'silent' })
const secrets = createTransientSecrets(randomBytes(32))

describe('shared state in memory', () => {
  describeContract(async () => {
    const state = await openSharedState({ secrets, logger })
    return [state, state]
  })

  it('describes itself as not shared', async () => {
    expect((await openSharedState({ secrets, logger })).describe()).toBe('memory of this process')
  })

  it('drops the values that were set the longest ago when it is full', async () => {
    const state = createMemoryState(logger, 2)
    await state.set('a', '1', 60_000)
    await state.set('b', '2', 60_000)
    await state.set('a', '3', 60_000)
    await state.set('c', '4', 60_000)
    expect(await Promise.all(['a', 'b', 'c'].map((key) => state.get(key)))).toEqual(['3', null, '4'])
  })

  it('drops the windows that end soonest when it counts too many keys', async () => {
    const counter = createMemoryCounter(60, 2)
    const take = async (key: string) => (await counter.take(key)).taken
    expect([await take('a'), await take('b'), await take('a'), await take('c')]).toEqual([1, 1, 2, 1])
    expect([await take('b'), await take('c')]).toEqual([2, 2])
    expect(await take('a')).toBe(1)
  })
})
