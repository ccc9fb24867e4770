import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import {
  holdReservedNames,
  reserveSubdomain,
  retireSubdomain,
} from '../../../../db/account/subdomains/subdomains.ts'
import { namesConfig } from '../../../../relayer/account/subdomains/config.ts'
import {
  createSubdomains,
  type Subdomains,
} from '../../../../relayer/account/subdomains/create-subdomains.ts'
import { holdTransaction } from '../../../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../seed-account.ts'

let database: TestDatabase
let subdomains: Subdomains
beforeAll(async () => {
  database = await openTestDatabase()
  subdomains = createSubdomains(database.pool, namesConfig.parse({ reserved: ['help'] }))
})
afterAll(() => database.drop())

const account = async () => (await seedAccount(database.pool)).accountId
const claim = (accountId: string, name: string, inviteCode?: string) =>
  subdomains.claim(accountId, { name, inviteCode })
const check = (name: string, inviteCode?: string) => subdomains.check({ name, inviteCode })

describe('a name', () => {
  it('is claimed in its normal form, and then taken in every form', async () => {
    expect(await check('Ａlice')).toEqual({ available: true })
    expect(await claim(await account(), 'Ａlice')).toBe('alice')
    expect(await check('ALICE')).toEqual({ available: false, reason: 'taken' })
    await expect(claim(await account(), 'ⓐlice')).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('goes to one of many accounts that claim it simultaneously', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, account))
    const outcomes = await Promise.allSettled(accounts.map((accountId) => claim(accountId, 'coveted')))
    const won = outcomes.filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'conflict' })
  })

  it('is one per account, also when several are claimed simultaneously', async () => {
    const accountId = await account()
    const names = Array.from({ length: 8 }, (_, index) => `greedy-${index}`)
    const outcomes = await Promise.allSettled(names.map((name) => claim(accountId, name)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const left = await Promise.all(names.map((name) => check(name)))
    expect(left.filter(({ available }) => !available)).toHaveLength(1)
  })

  it('may be claimed again by its owner', async () => {
    const accountId = await account()
    await claim(accountId, 'patient')
    expect(await claim(accountId, 'Patient')).toBe('patient')
    await expect(claim(accountId, 'another')).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This account has a name already',
    })
  })

  it.each(['xn--bcher-kva', '\u0430lice2', 'ab', 'a b c'])('cannot be %j', async (name) => {
    await expect(check(name)).rejects.toMatchObject({ kind: 'bad-request' })
    await expect(claim(await account(), name)).rejects.toMatchObject({ kind: 'bad-request' })
  })

  it.each(['help', 'he-lp', 'sh1thead'])('cannot be claimed when it is blocked: %s', async (name) => {
    expect(await check(name)).toEqual({ available: false, reason: 'blocked' })
    await expect(claim(await account(), name)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('stays reserved after its account was deleted', async () => {
    const accountId = await account()
    await claim(accountId, 'departed')
    await database.pool.transaction((connection) => retireSubdomain(connection, accountId))
    expect(await check('departed')).toEqual({ available: false, reason: 'taken' })
    await expect(claim(await account(), 'departed')).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('a name that is wanted while it changes hands', () => {
  /** Waits until this many connections wait for locks. */
  async function untilWaiting(count: number): Promise<void> {
    for (;;) {
      const waiting = await database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
        select count(*)::int4 as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      if (waiting >= count) return
      await sleep(10)
    }
  }

  it('is not given to an account that asks while its owner is being deleted', async () => {
    const [leaving, wanting] = [await account(), await account()]
    await claim(leaving, 'leaving')
    const deletion = await holdTransaction(database.pool, async (connection) => {
      await retireSubdomain(connection, leaving)
      await connection.query(sql.typeAlias('void')`delete from account where id = ${leaving}::uuid`)
    })
    const claimed = claim(wanting, 'leaving').catch((error: Error) => error)
    await untilWaiting(1)
    await deletion.commit()
    expect(await claimed).toMatchObject({ kind: 'conflict' })
  })

  it('is not reserved for a code while it is being claimed', async () => {
    const accountId = await account()
    // The claim waits halfway, for a row that it refers to.
    const holder = await holdTransaction(database.pool, (connection) =>
      connection.query(sql.typeAlias('void')`select from account where id = ${accountId}::uuid for update`),
    )
    const claimed = claim(accountId, 'contested')
    await untilWaiting(1)
    const kept = reserveSubdomain(database.pool, 'contested', 'CODE')
    await Promise.race([kept, untilWaiting(2)])
    await holder.commit()
    expect([await claimed, await kept]).toEqual(['contested', false])
  })
})

describe('a name that is reserved for an invite code', () => {
  it('goes only to an account with that code', async () => {
    expect(await reserveSubdomain(database.pool, 'vip-guest', 'SECRET-1')).toBe(true)
    expect(await check('vip-guest')).toEqual({ available: false, reason: 'blocked' })
    expect(await check('vip-guest', 'SECRET-2')).toEqual({ available: false, reason: 'blocked' })
    expect(await check('vip-guest', 'SECRET-1')).toEqual({ available: true })
    await expect(claim(await account(), 'vip-guest')).rejects.toMatchObject({ kind: 'conflict' })
    await expect(claim(await account(), 'vip-guest', 'SECRET-2')).rejects.toMatchObject({ kind: 'conflict' })
    expect(await claim(await account(), 'vip-guest', 'secret 1')).toBe('vip-guest')
    expect(await check('vip-guest', 'SECRET-1')).toEqual({ available: false, reason: 'taken' })
  })

  it('goes to the first account created with the code without asking again', async () => {
    await reserveSubdomain(database.pool, 'expected', 'ABCD-EFGH')
    const [first, second] = [await account(), await account()]
    for (const accountId of [first, second])
      await database.pool.transaction((connection) => holdReservedNames(connection, accountId, 'abcd efgh'))
    expect(await check('expected')).toEqual({ available: false, reason: 'blocked' })
    await expect(claim(second, 'expected')).rejects.toMatchObject({ kind: 'conflict' })
    expect(await claim(first, 'expected')).toBe('expected')
  })

  it('may be blocked for all other accounts', async () => {
    await reserveSubdomain(database.pool, 'help', 'HELP-DESK')
    expect(await check('help')).toEqual({ available: false, reason: 'blocked' })
    expect(await check('help', 'other-code')).toEqual({ available: false, reason: 'blocked' })
    expect(await check('help', 'help desk')).toEqual({ available: true })
    await expect(claim(await account(), 'help')).rejects.toMatchObject({ kind: 'conflict' })
    expect(await claim(await account(), 'help', 'HELP-DESK')).toBe('help')
  })

  it('cannot be reserved when another account has it', async () => {
    await claim(await account(), 'early-bird')
    expect(await reserveSubdomain(database.pool, 'early-bird', 'SECRET-3')).toBe(false)
  })
})

it('suggested names can be claimed', async () => {
  const accountId = await account()
  const name = await subdomains.suggest()
  expect(await check(name)).toEqual({ available: true })
  expect(await claim(accountId, name)).toBe(name)
})
