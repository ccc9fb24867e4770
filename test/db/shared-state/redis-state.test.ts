import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharedState } from '../../../db/shared-state/open-shared-state.ts'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { createTransientSecrets } from '../../../relayer/identity/transient-secrets.ts'
import { findFreePort } from '../../harness/find-free-port.ts'
import { findRedisServer, startRedis, type RedisServer } from '../../harness/start-redis.ts'
import { describeContract } from './shared-state-contract.ts'

const secrets = createTransientSecrets(randomBytes(32))
const program = findRedisServer('shared state in Redis')

describe.runIf(program)('shared state in Redis', () => {
  let redis: RedisServer
  const warnings: string[] = []
  const lines: string[] = []
  const write = (line: string) => {
    lines.push(line)
    warnings.push(JSON.parse(line).msg)
  }
  const logger = pino({ level: 'warn' }, { write })
  const open = () => openSharedState({ redisUrl: redis.url, secrets, logger })
  beforeAll(async () => {
    redis = await startRedis(program!)
  })
  afterAll(() => redis.stop())

  describe('with a reachable server', () => {
    describeContract(async () => [await open(), await open()])

    it('ignores values and messages under another secret key', async () => {
      const theirs = await openSharedState({
        redisUrl: redis.url,
        secrets: createTransientSecrets(randomBytes(32)),
        logger,
      })
      const ours = await open()
      await theirs.set('shared', 'theirs', 60_000)
      expect(await ours.get('shared')).toBeNull()
      await ours.set('shared', 'ours', 60_000)
      expect([await ours.get('shared'), await theirs.get('shared')]).toEqual(['ours', 'theirs'])
      await Promise.all([ours.close(), theirs.close()])
    })

    it('is described without its password', async () => {
      const url = new URL(redis.url)
      url.password = 'hunter2'
      const state = await openSharedState({ redisUrl: url.href, secrets, logger })
      expect(state.describe()).toBe(`Redis at ${url.host}`)
      await state.close()
    })
  })

  /** Everything still answers as `SharedState` specifies. */
  async function expectDegraded(state: SharedState, heard: string[]): Promise<void> {
    warnings.length = 0
    expect(await state.get('kept')).toBeNull()
    await state.set('kept', 'lost', 60_000)
    await state.delete('kept')
    await state.publish('news', 'lost')
    // One alarm says it; a line for each message would fill the log.
    expect(warnings).toEqual([])
    // Topic names contain notes and accounts.
    expect(lines.join()).not.toContain('news')
    expect(heard).toEqual(['lost'])
    heard.length = 0
    const counter = state.rateCounter({ name: 'away', points: 1, seconds: 60 })
    expect([(await counter.take('x')).taken, (await counter.take('x')).taken]).toEqual([1, 2])
    expect(await state.healthy()).toBe(false)
  }

  async function expectRecovered(state: SharedState, heard: string[]): Promise<void> {
    await expect.poll(() => state.healthy()).toBe(true)
    await state.set('kept', 'again', 60_000)
    expect(await state.get('kept')).toBe('again')
    await state.publish('news', 'back')
    await expect.poll(() => heard).toEqual(['back'])
  }

  it('works without a server that goes away, and reconnects with its subscriptions', async () => {
    const state = await open()
    const heard: string[] = []
    await state.subscribe('news', (message) => heard.push(message))
    const { port } = new URL(redis.url)
    await redis.stop()
    await expectDegraded(state, heard)
    redis = await startRedis(program!, Number(port))
    await expectRecovered(state, heard)
    await state.close()
  })

  it('works without a server that hangs, and uses it again once it answers', async () => {
    const state = await open()
    const heard: string[] = []
    await state.subscribe('news', (message) => heard.push(message))
    redis.freeze()
    try {
      await expectDegraded(state, heard)
    } finally {
      redis.resume()
    }
    await expect.poll(() => state.healthy()).toBe(true)
    // Messages that were in transit when it hung may still arrive.
    heard.length = 0
    await expectRecovered(state, heard)
    await state.close()
  })

  it('starts without a server, and connects when the server starts', async () => {
    const port = await findFreePort()
    const state = await openSharedState({ redisUrl: `redis://127.0.0.1:${port}`, secrets, logger })
    const heard: string[] = []
    await state.subscribe('news', (message) => heard.push(message))
    await expectDegraded(state, heard)
    const late = await startRedis(program!, port)
    await expectRecovered(state, heard)
    await state.close()
    await late.stop()
  })

  it('closes while the server is away', async () => {
    const state = await openSharedState({
      redisUrl: `redis://127.0.0.1:${await findFreePort()}`,
      secrets,
      logger,
    })
    await state.close()
    expect(await state.healthy()).toBe(false)
    expect(await state.get('kept')).toBeNull()
  })
})
