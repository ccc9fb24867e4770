import { parseUnits, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectDatabase, sql } from '../../../../db/connect-database.ts'
import { endLockedQuote, lockExpiredQuotes } from '../../../../db/transact/quotes.ts'
import { markSpent, releaseReservations, releaseSpent } from '../../../../db/transact/reservations.ts'
import { releaseEnded } from '../../../../relayer/transact/quotes/release-quotes.ts'
import type { SendRequest } from '../../../../relayer/transact/kinds/send/send-kind.ts'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import { expectNothingLeaked } from '../../../harness/expect-nothing-leaked.ts'
import { startService } from '../../../../gateway/compose.ts'
import { createLogger } from '../../../../gateway/logging.ts'
import { SHARED_THREADS } from '../../../harness/share-threads.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openSender, type Sender } from './open-sender.ts'
import { startSendingService } from './start-sending-service.ts'

let service: TestService
let payer: Payer
let dollar: Address

const usd = (amount: string) => parseUnits(amount, 6)
const somebody = () => privateKeyToAddress(generatePrivateKey())

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
})
afterAll(() => service?.stop())

const send = (changes: Partial<SendRequest> = {}): SendRequest => ({
  kind: 'send',
  chainId: payer.chain.chainId,
  token: dollar,
  amount: usd('5'),
  destinationAddress: somebody(),
  ...changes,
})

const ask = ({ accountId }: Sender, changes?: Partial<SendRequest>) =>
  service.services.quotes.create(accountId, send(changes))

const promise = z.object({ address: z.string(), locked: z.bigint(), held: z.bigint() })
/** Locked amount and balance of each address of an account. */
const promises = ({ accountId }: Sender) =>
  service.database.pool.any(sql.type(promise)`
    select address, locked_funds.amount as locked, coalesce(holding.amount, 0) as held
    from locked_funds join stealth_address using (address) left join holding using (address, chain_id, token)
    where account_id = ${accountId}`)

const lockedOf = async (sender: Sender) =>
  (await promises(sender)).reduce((total, { locked }) => total + locked, 0n)

describe('simultaneous quotes', () => {
  it('never reserve more than the balance, and release all of it', async () => {
    const sender = await openSender(service, payer)
    await sender.receiveAll(
      dollar,
      Array.from({ length: 10 }, (_, index) => usd(String(10 + index))),
    )
    const quotes = await Promise.allSettled(Array.from({ length: 200 }, () => ask(sender)))
    const good = quotes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const refusals = quotes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code as string] : []))
    // 145 dollars are there; each quote takes 5 and some fee, and so most addresses have room for two or three.
    expect(good.length).toBeGreaterThanOrEqual(15)
    expect(good.length).toBeLessThan(29)
    expect(new Set(refusals)).toEqual(new Set(['QUOTE_LOCK_CONFLICT']))
    for (const { locked, held } of await promises(sender)) expect(locked).toBeLessThanOrEqual(held)
    expect(await lockedOf(sender)).toBe(
      good.reduce((total, { terms }) => total + BigInt(String(terms['amountIn'])), 0n),
    )
    await expectNothingLeaked(service.database.pool)

    // Several callers unlock each quote at once.
    const { unlock } = service.services.quotes
    await Promise.all(
      good.flatMap(({ quoteId }) => [unlock(sender.accountId, quoteId), unlock(sender.accountId, quoteId)]),
    )
    expect(await lockedOf(sender)).toBe(0n)
    await expectNothingLeaked(service.database.pool)
  })

  it('never reserve more than the balance on two instances', async () => {
    const sender = await openSender(service, payer)
    await sender.receiveAll(dollar, [usd('12'), usd('12'), usd('12')])
    const other = await startService({
      config: { ...service.config, chains: [...service.parts.chains], port: 0 },
      logger: createLogger({ level: 'silent' }),
      ...SHARED_THREADS,
    })
    try {
      const quotes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 ? service : other).services.quotes.create(sender.accountId, send()),
        ),
      )
      const good = quotes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(good.length).toBeGreaterThanOrEqual(3)
      for (const { locked, held } of await promises(sender)) expect(locked).toBeLessThanOrEqual(held)
      await expectNothingLeaked(service.database.pool)
      const keys = [service, other].map(({ services }) => services.quotes.signerPublicKey().publicKey)
      expect(keys[0]).toBe(keys[1])
    } finally {
      await other.stop()
    }
  })

  it('are refreshed by one of two instances that are asked together', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('20'))
    const { accountId } = sender
    const { quoteId } = await ask(sender)
    const other = await startService({
      config: { ...service.config, chains: [...service.parts.chains], port: 0 },
      logger: createLogger({ level: 'silent' }),
      ...SHARED_THREADS,
    })
    const { pool } = service.database
    const { promise: locked, resolve: hasLocks } = Promise.withResolvers<void>()
    const { promise: done, resolve: letGo } = Promise.withResolvers<void>()
    try {
      // Both run until they wait for the locks of the funds, which another transaction holds.
      const holding = pool.transaction(async (connection) => {
        await connection.query(sql.typeAlias('void')`
          select from locked_funds join stealth_address using (address) where account_id = ${accountId}
          for update of locked_funds`)
        hasLocks()
        await done
      })
      await locked
      const asked = [service, other].map(({ services }) => services.quotes.refresh(accountId, quoteId))
      const answers = Promise.allSettled(asked)
      await expect
        .poll(() =>
          pool.oneFirst(sql.type(z.object({ waiting: z.int() }))`
              select count(*)::int4 as waiting from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`),
        )
        .toBeGreaterThanOrEqual(2)
      letGo()
      await holding
      const refused = (await answers).filter(({ status }) => status === 'rejected')
      expect(refused).toMatchObject([{ reason: { kind: 'bad-request', code: 'QUOTE_NOT_REFRESHABLE' } }])
      await expectNothingLeaked(pool)
    } finally {
      letGo()
      await other.stop()
    }
  })

  it('can be unlocked, refreshed and expired together without wrong reservations', async () => {
    const sender = await openSender(service, payer)
    await sender.receiveAll(dollar, [usd('20'), usd('20'), usd('20'), usd('20')])
    const { accountId } = sender
    const { unlock, refresh } = service.services.quotes
    const stories = Array.from({ length: 40 }, async (_, index) => {
      const quote = await ask(sender, { amount: usd('3') })
      await Promise.allSettled([
        refresh(accountId, quote.quoteId),
        index % 2 ? unlock(accountId, quote.quoteId) : refresh(accountId, quote.quoteId),
        releaseEnded(service.database.pool, createLogger({ level: 'silent' })),
      ])
    })
    await Promise.allSettled(stories)
    await expectNothingLeaked(service.database.pool)
    for (const { locked, held } of await promises(sender)) expect(locked).toBeLessThanOrEqual(held)
  })
})

describe('a constraint of the database', () => {
  it('refuses reservations beyond the balance of an address', async () => {
    const sender = await openSender(service, payer)
    const address = await sender.receive(dollar, usd('9'))
    await ask(sender)
    await expect(
      service.database.pool.query(sql.typeAlias('void')`
        update locked_funds set amount = amount + ${usd('5')} where address = ${address}`),
    ).rejects.toMatchObject({ constraint: 'locked_funds_within_holding' })
  })
})

describe('an idempotency key', () => {
  it('repeats a quote until it is unlocked or replaced, and says so from then on', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('20'))
    const body = {
      type: 'send',
      chainId: payer.chain.chainId,
      token: dollar,
      amount: String(usd('1')),
      destinationAddress: privateKeyToAddress(generatePrivateKey()),
    }
    const create = (key: string) =>
      sender.post<{ quoteId: string; code?: string }>('/quote', body, { 'idempotency-key': key })
    const ended = { status: 409, body: { code: 'IDEMPOTENT_QUOTE_ENDED' } }

    const first = await create('one')
    expect(first.status).toBe(200)
    expect(await create('one')).toEqual(first)
    expect((await sender.post('/unlock', { quoteId: first.body.quoteId })).status).toBe(200)
    expect(await create('one')).toMatchObject(ended)

    const second = await create('two')
    const refresh = () =>
      sender.post<{ quoteId: string }>(`/quotes/${second.body.quoteId}/refresh`, undefined, {
        'idempotency-key': 'again',
      })
    const replacement = await refresh()
    expect(replacement.status).toBe(200)
    expect(await create('two')).toMatchObject(ended)
    expect(await refresh()).toEqual(replacement)
    expect((await sender.post('/unlock', { quoteId: replacement.body.quoteId })).status).toBe(200)
    expect(await refresh()).toMatchObject(ended)
  })
})

describe('the funds that a quote locked', () => {
  it('are released once, however often that is asked for', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('20'))
    const [one, other] = [await ask(sender), await ask(sender)]
    const { pool } = service.database
    const both = await lockedOf(sender)
    const released = await Promise.all(
      Array.from({ length: 5 }, () =>
        pool.transaction((connection) => releaseReservations(connection, [one.quoteId])),
      ),
    )
    expect(released.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1])
    expect(both - (await lockedOf(sender))).toBe(BigInt(String(one.terms['amountIn'])))
    expect(await lockedOf(sender)).toBe(BigInt(String(other.terms['amountIn'])))
    await endLockedQuote(pool, one.quoteId, 'unlocked')
    await expectNothingLeaked(pool)
  })

  it('stay locked once spent, until the index has read them after that block', async () => {
    const sender = await openSender(service, payer)
    const address = await sender.receive(dollar, usd('20'))
    const { quoteId, terms } = await ask(sender)
    const { pool } = service.database
    const { chainId } = payer.chain
    const far = 10n ** 12n
    await markSpent(pool, [{ quoteId, blockNumber: far }])
    expect(await pool.transaction((connection) => releaseReservations(connection, [quoteId]))).toBe(0)
    expect(await releaseSpent(pool, chainId, far - 1n)).toBe(0)
    await pool.query(sql.typeAlias('void')`
      update holding set stale = true where address = ${address} and token = ${dollar}`)
    expect(await releaseSpent(pool, chainId, far)).toBe(0)
    expect(await lockedOf(sender)).toBe(BigInt(String(terms['amountIn'])))
    const released = await pool.transaction(async (connection) => {
      await connection.query(sql.typeAlias('void')`
        update holding set stale = false, as_of_number = ${far} where address = ${address} and token = ${dollar}`)
      return releaseSpent(connection, chainId, far)
    })
    expect(released).toBe(1)
    expect(await releaseSpent(pool, chainId, far)).toBe(0)
    expect(await lockedOf(sender)).toBe(0n)
  })

  it('are released per address: of the unspent one, not of the spent one', async () => {
    const sender = await openSender(service, payer)
    const [, second] = await sender.receiveAll(dollar, [usd('10'), usd('10')])
    const { quoteId, terms } = await ask(sender, { amount: usd('15') })
    expect(terms['fundingCaveats']).toEqual([{ kind: 'addresses_joined', addressCount: 2 }])
    const { pool } = service.database
    await markSpent(pool, [{ quoteId, address: second!, blockNumber: 10n ** 12n }])
    expect(await releaseReservations(pool, [quoteId])).toBe(1)
    const left = (await promises(sender)).filter(({ locked }) => locked > 0n)
    expect(left.map(({ address }) => address)).toEqual([second])
    await pool.query(
      sql.typeAlias('void')`update reservation set spent_in_block = null where quote_id = ${quoteId}`,
    )
    await service.services.quotes.unlock(sender.accountId, quoteId)
    await expectNothingLeaked(pool)
  })
})

describe('a quote that ended without being submitted', () => {
  const rowOf = (quoteId: string) =>
    service.database.pool.one(sql.type(z.object({ status: z.string(), row: z.string() }))`
      select status, to_jsonb(quote)::text as row from quote where id = ${quoteId}`)

  it('retains its amounts but neither recipient nor terms', async () => {
    const sender = await openSender(service, payer)
    await sender.receiveAll(dollar, [usd('20'), usd('20'), usd('20')])
    const { accountId } = sender
    const { unlock, refresh } = service.services.quotes
    const recipients = [somebody(), somebody(), somebody()]
    const [unlocked, replaced, expired] = await Promise.all(
      recipients.map((destinationAddress) => ask(sender, { destinationAddress })),
    )
    expect((await rowOf(unlocked!.quoteId)).row).toContain(recipients[0])
    await unlock(accountId, unlocked!.quoteId)
    const successor = await refresh(accountId, replaced!.quoteId)
    await service.database.pool.query(sql.typeAlias('void')`
      update quote set expires_at = now() - interval '1 second' where id = ${expired!.quoteId}`)
    await expect.poll(async () => (await rowOf(expired!.quoteId)).status).toBe('expired')
    for (const [index, quote] of [unlocked, replaced, expired].entries()) {
      const { status, row } = await rowOf(quote!.quoteId)
      expect(status).toBe(['unlocked', 'replaced', 'expired'][index])
      expect(row.toLowerCase()).not.toContain(recipients[index]!.slice(2).toLowerCase())
    }
    // The replacement pays the same recipient and can be refreshed again.
    expect(successor.terms['outputRecipient']).toBe(recipients[1])
    const next = await refresh(accountId, successor.quoteId)
    expect(next.terms['outputRecipient']).toBe(recipients[1])
    await unlock(accountId, next.quoteId)
    await expectNothingLeaked(service.database.pool)
  })
})

describe('an expired quote', () => {
  const age = (quoteId: string) =>
    service.database.pool.query(sql.typeAlias('void')`
      update quote set expires_at = now() - interval '1 second' where id = ${quoteId}`)

  it('releases its funds by itself', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('20'))
    const { quoteId } = await ask(sender)
    expect(await lockedOf(sender)).toBeGreaterThan(0n)
    await age(quoteId)
    await expect.poll(() => lockedOf(sender)).toBe(0n)
    await expectNothingLeaked(service.database.pool)
    await expect(service.services.quotes.refresh(sender.accountId, quoteId)).rejects.toMatchObject({
      code: 'QUOTE_NOT_REFRESHABLE',
    })
    await expect(service.services.quotes.unlock(sender.accountId, quoteId)).resolves.toBeUndefined()
  })

  it('is skipped by an instance while another one handles it', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('20'))
    const { quoteId } = await ask(sender)
    const { pool, url } = service.database
    const elsewhere = await connectDatabase(url)
    await age(quoteId)
    await pool.transaction(async (connection) => {
      const mine = await lockExpiredQuotes(connection, 10)
      const theirs = await elsewhere.transaction((other) => lockExpiredQuotes(other, 10))
      expect(mine.filter((id) => theirs.includes(id))).toEqual([])
    })
    await elsewhere.end()
    await expect.poll(() => lockedOf(sender)).toBe(0n)
  })
})
