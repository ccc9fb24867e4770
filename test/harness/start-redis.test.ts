import { afterEach, describe, expect, it, vi } from 'vitest'
import { findRedisServer } from './start-redis.ts'

describe('findRedisServer on a machine without Redis', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  it('says which test is skipped and why', () => {
    vi.stubEnv('PATH', '')
    vi.stubEnv('CI', '')
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    expect(findRedisServer('the test of caches')).toBeUndefined()
    expect(print).toHaveBeenCalledWith(
      expect.stringMatching(/^skipped: the test of caches: there is no redis-server/),
    )
  })

  it('fails in CI, where nothing is skipped', () => {
    vi.stubEnv('PATH', '')
    vi.stubEnv('CI', 'true')
    expect(() => findRedisServer('the test of caches')).toThrow('the test of caches needs redis-server')
  })
})
