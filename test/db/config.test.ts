import { describe, expect, it } from 'vitest'
import { storageConfig } from '../../db/config.ts'

describe('storageConfig', () => {
  it('uses the embedded database and no Redis when nothing is set', () => {
    expect(storageConfig.parse({})).toEqual({ dataDir: '.data' })
  })

  it('accepts URLs of PostgreSQL and Redis servers', () => {
    const config = {
      databaseUrl: 'postgresql://user:pa%24s@db.example:5432/relay?sslmode=require',
      redisUrl: 'rediss://:secret@cache.example:6380/2',
      dataDir: '/var/lib/relay',
    }
    expect(storageConfig.parse(config)).toEqual(config)
  })

  it.each([
    ['databaseUrl', 'mysql://db.example/relay', 'write postgres://'],
    ['databaseUrl', 'db.example:5432', 'write postgres://'],
    ['redisUrl', 'http://cache.example', 'write redis://'],
    ['dataDir', '', 'name a folder'],
    ['dataDirectory', '.data', 'Unrecognized key'],
  ])('refuses %s = "%s" and says what to write', (key, value, advice) => {
    const result = storageConfig.safeParse({ [key]: value })
    expect(result.error?.issues[0]?.message).toContain(advice)
  })
})
