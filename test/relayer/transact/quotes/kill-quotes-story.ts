import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { call } from '../../../harness/call.ts'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import { expectNothingLeaked } from '../../../harness/expect-nothing-leaked.ts'
import { patientSettings } from '../../../harness/patient-settings.ts'
import { createServiceProcess, type ServiceProcess } from '../../../harness/service-process.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { OWN_LIMITS } from '../../account/open-account.ts'
import { openSender, type Sender, type WireQuote } from './open-sender.ts'
import { startSendingService } from './start-sending-service.ts'

let service: TestService
let payer: Payer
let folder: string
/** Another instance, in a process of its own. */
let killed: ServiceProcess

beforeAll(async () => {
  const identity = { masterKeys: [randomBytes(32).toString('hex')] }
  service = await startSendingService({ identity })
  payer = await openPayer(service, 5)
  folder = await mkdtemp(join(tmpdir(), 'kill-quotes-'))
  const file = join(folder, 'config.json')
  const settings = {
    ...patientSettings({ proving: { threads: 1 }, ...OWN_LIMITS }),
    identity,
    feeWaivers: { waiverDays: 0 },
    storage: { databaseUrl: service.database.url, dataDir: folder },
    chains: service.parts.chains,
  }
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  await writeFile(file, JSON.stringify(settings, asText))
  killed = await createServiceProcess({ CONFIG: file })
})
afterEach(() => killed?.kill())
afterAll(async () => {
  await service?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const LOCK = 7_001

/** Makes each storing of an answer wait for an advisory lock. */
const holdAnswers = () =>
  service.database.pool.transaction(async (connection) => {
    await connection.query(sql.typeAlias('void')`
      create function hold_answer() returns trigger language plpgsql as
        $$begin perform pg_advisory_xact_lock(7001); return new; end$$`)
    await connection.query(sql.typeAlias('void')`
      create trigger hold_answer before update on idempotency_key
      for each row when (new.sealed_answer is not null) execute function hold_answer()`)
  })
const letAnswers = () =>
  service.database.pool.query(sql.typeAlias('void')`drop function if exists hold_answer cascade`)

const waiting = sql.fragment`from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
  and database = (select oid from pg_database where datname = current_database())`

/** Kills the process where it stores the answer; its connection's end rolls back its writes. */
async function killAtAnswer(ask: () => Promise<unknown>): Promise<void> {
  const { pool } = service.database
  await holdAnswers()
  try {
    await pool.transaction(async (connection) => {
      await connection.query(sql.typeAlias('void')`select from pg_advisory_xact_lock(${LOCK})`)
      const asked = ask().then(
        () => 'answered',
        () => 'broken',
      )
      const isWaiting = () =>
        connection.oneFirst(sql.type(z.object({ is: z.boolean() }))`select exists (select ${waiting}) as is`)
      await expect.poll(isWaiting, { timeout: 30_000 }).toBe(true)
      await killed.kill()
      expect(await asked).toBe('broken')
      await connection.many(sql.type(z.object({ ended: z.literal(true) }))`
        select pg_terminate_backend(pid) as ended ${waiting}`)
    })
  } finally {
    await letAnswers()
  }
}

/** Kills the process as soon as the account has another quote than these. */
async function killAtQuote(sender: Sender, before: number, ask: () => Promise<unknown>): Promise<void> {
  const asked = ask().catch(() => undefined)
  const count = async () => (await listQuotes(sender)).length
  await expect.poll(count, { timeout: 30_000, interval: 1 }).toBeGreaterThan(before)
  await killed.kill()
  await asked
}

const listQuotes = ({ accountId }: Sender) =>
  service.database.pool.any(sql.type(z.object({ id: z.string(), status: z.string() }))`
    select id, status from quote where account_id = ${accountId} order by created_at`)

const lockedOf = ({ accountId }: Sender) =>
  service.database.pool.oneFirst(sql.type(z.object({ locked: z.bigint() }))`
    select coalesce(sum(amount), 0) as locked from locked_funds join stealth_address using (address)
    where account_id = ${accountId}`)

/** Two quotes of it do not fit into the account's funds. */
const send = () => ({
  type: 'send',
  chainId: payer.chain.chainId,
  token: payer.chain.tokens[0]!.address,
  amount: String(parseUnits('12', 6)),
  destinationAddress: privateKeyToAddress(generatePrivateKey()),
})

/** Of a kill. */
export type Moment = keyof typeof MOMENTS

const MOMENTS = {
  'where it stores the answer': (_: Sender, __: number, ask: () => Promise<unknown>) => killAtAnswer(ask),
  'once its quote is seen': killAtQuote,
}

/** One test for each pair: the moment for a quote, and the one for its refresh. */
export function killQuotesStory(pairs: readonly (readonly [Moment, Moment])[]): void {
  it.each(pairs)(
    'a service that is killed %s, and with a refresh %s, has made one quote for a repeated Idempotency-Key, or none',
    async (atQuote, atRefresh) => {
      const sender = await openSender(service, payer)
      await sender.receive(payer.chain.tokens[0]!.address, parseUnits('20', 6))
      const ask = (url: string, path: string, body: unknown, key: string) =>
        call(`${url}/v1/accounts/${sender.accountId}${path}`, {
          method: 'POST',
          body,
          headers: { ...sender.headers, 'idempotency-key': key },
        })
      const expectOnly = async (quote: WireQuote) => {
        const live = (await listQuotes(sender)).filter(({ status }) => status === 'locked')
        expect(live.map(({ id }) => id)).toEqual([quote.quoteId])
        expect(await lockedOf(sender)).toBe(BigInt(quote.amountIn))
        await expectNothingLeaked(service.database.pool)
      }

      await killed.start()
      const body = send()
      await MOMENTS[atQuote](sender, 0, () => ask(killed.url, '/quote', body, 'first'))
      const made = await ask(service.url, '/quote', body, 'first')
      expect(made.status, made.text).toBe(200)
      const quote = JSON.parse(made.text) as WireQuote
      await expectOnly(quote)

      await killed.start()
      const refresh = `/quotes/${quote.quoteId}/refresh`
      await MOMENTS[atRefresh](sender, 1, () => ask(killed.url, refresh, {}, 'second'))
      const again = await ask(service.url, refresh, {}, 'second')
      expect(again.status, again.text).toBe(200)
      await expectOnly(JSON.parse(again.text) as WireQuote)
    },
  )
}
