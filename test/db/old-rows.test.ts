import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabasePool } from 'slonik'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { zeroAddress } from 'viem'
import { z } from 'zod'
import { countUnfinished, listUnreviewed } from '../../db/chain/broadcast/outbound-queue.ts'
import { listUnfinished } from '../../db/chain/broadcast/outbound-watch.ts'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { endIntents } from '../../db/transact/intents-end.ts'
import { sumSends } from '../../db/transact/send-ledger.ts'
import { listRelayGas } from '../../db/pool/relay/relay-ledger.ts'
import { listNewestRequests } from '../../db/pool/relay/relay-requests.ts'
import { encodeCalls } from '../../relayer/transact/intents/encode-calls.ts'
import { encodeTransfer } from '../../relayer/transact/intents/encode-transfer.ts'
import { openEmptyDatabase } from '../harness/open-test-database.ts'

const MIGRATIONS = join(import.meta.dirname, '../../db/migrations')

let database: Awaited<ReturnType<typeof openEmptyDatabase>>
let directory: string
let pool: DatabasePool
beforeAll(async () => {
  database = await openEmptyDatabase()
  directory = await mkdtemp(join(tmpdir(), 'test-old-rows-'))
  for (const name of await readdir(MIGRATIONS))
    if (name < '0098') await cp(join(MIGRATIONS, name), join(directory, name))
  await migrateDatabase(database.url, directory)
  pool = await connectDatabase(database.url)
})
afterAll(async () => {
  await pool?.end()
  await database.drop()
  await rm(directory, { recursive: true })
})

const RECIPIENT = '0x00000000000000000000000000000000000000aa'
const COLLECTOR = '0x00000000000000000000000000000000000000bb'
const TOKEN = '0x00000000000000000000000000000000000000cc'

/** A quote document of that time: each of these addresses pays 1 to the recipient and so much to the service. */
const document = (token: `0x${string}`, fees: Readonly<Record<string, bigint>>) =>
  JSON.stringify({
    outputDecimals: 6,
    protocolFeeBps: 12.5,
    intents: Object.entries(fees).map(([eoa, fee]) => ({
      eoa,
      executionData: encodeCalls([
        encodeTransfer(token, RECIPIENT, 1n),
        encodeTransfer(token, COLLECTOR, fee),
      ]),
    })),
  })
const DOCUMENTS = [
  document(TOKEN, { eoa1: 10n }),
  document(zeroAddress, { eoa2: 10n }),
  document(TOKEN, { eoa3: 10n }),
  document(TOKEN, { eoa4: 4n, eoa5: 6n }),
]

const idOf = (table: string, n = sql.fragment`n`) => sql.fragment`md5(${table} || ${n})::uuid`
/** Five rows of each kind: two under way and three ended; sends 4 and 5 are one quote with two intents. */
const STATEMENTS = [
  sql.fragment`insert into outbound_tx (id, chain_id, kind, reference, to_address, value, gas_limit, data, status, signer,
      tx_nonce, settled_at, created_at)
    select ${idOf('outbound')}, 1, 'relay', ${idOf('request')}::text, '0x01', 0, 21000, '\\x01'::bytea,
      (array['queued', 'sent', 'confirmed', 'confirmed', 'abandoned'])[n], case when n in (2, 3, 4) then '0x02' end,
      case when n in (2, 3, 4) then n end, case when n > 2 then now() end, now() - interval '1 day'
    from generate_series(1, 5) as n`,
  sql.fragment`insert into outbound_attempt (hash, outbound_id, raw, max_fee_per_gas, max_priority_fee_per_gas, delivery)
    select '0x' || n, ${idOf('outbound')}, '\\x01'::bytea, 1, 1, 'accepted' from generate_series(2, 4) as n`,
  sql.fragment`insert into relay_request (id, chain_id, pool, asset, nullifier_hash, context, withdrawn, status, outbound_id,
      error)
    select ${idOf('request')}, 1, 'pool', 'asset', n, n, 1,
      (array['broadcast', 'broadcast', 'confirmed', 'confirmed', 'failed'])[n], ${idOf('outbound')},
      case when n = 5 then 'reason' end
    from generate_series(1, 5) as n`,
  sql.fragment`insert into relay_ledger (request_id, chain_id, pool, asset, withdrawn, fee_received, gas_spent,
      top_up_spent, gas_used, tx_hash)
    select ${idOf('request')}, 1, 'pool', 'asset', 1, 1, 1, 0, n, '0x' || n from generate_series(3, 4) as n`,
  sql.fragment`insert into quote (id, account_id, kind, status, chain_id, token, amount, recipient, terms, network_fee,
      service_fee, fee_waived, gas_cost, expires_at, submitted_at, ended_at)
    select ${idOf('quote')}, ${idOf('account')}, 'send', (array['submitted', 'confirmed', 'expired', 'submitted'])[n], 1,
      'token', 1, 'recipient', (${sql.array(DOCUMENTS, 'text')})[n]::jsonb, 7, 3, false, 0, now(),
      case when n <> 3 then now() end,
      case when n in (2, 3) then now() end
    from generate_series(1, 4) as n`,
  sql.fragment`insert into intent (id, quote_id, place, chain_id, eoa, intent_nonce, combined_gas, transaction_gas,
      account_id, expires_at, from_block, status, ended_at, encoded, tx_hash)
    select ${idOf('intent')}, ${idOf('quote', sql.fragment`least(n, 4)`)}, n, 1, 'eoa' || n, n, 1, 1,
      ${idOf('account')}, now(), 0, case when n = 2 then 'succeeded' else 'queued' end, case when n = 2 then now() end, '\\x01', '0x'
    from unnest(array[1, 2, 4, 5]) as n`,
  sql.fragment`insert into reservation (quote_id, chain_id, address, token, amount)
    select ${idOf('quote', sql.fragment`least(n, 4)`)}, 1, 'eoa' || n, 'token', 11
    from generate_series(1, 5) as n`,
  sql.fragment`insert into token_source (chain_id, address, source, source_id, symbol, decimals)
    values (1, 'token', 'chain', 'chain', 'TKN', 6)`,
]

it("rows of version 0097 survive the migrations, and what was under way is booked by today's code", async () => {
  await pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`set local session_replication_role = replica`)
    for (const statement of STATEMENTS) await transaction.query(sql.typeAlias('void')`${statement}`)
  })
  expect(await migrateDatabase(database.url)).toContain('0111_send_ledger.sql')

  const counts = (await countUnfinished(pool, 1)).map(({ count }) => count)
  expect(counts).toEqual([1, 1])
  const review = { kinds: ['relay'], afterMs: 1_000 }
  expect(await listUnreviewed(pool, 1, { limit: 9, except: [] }, review)).toMatchObject([
    { kind: 'relay', gasLimit: 21_000n },
  ])
  const waiting = await listUnfinished(pool, 1, crypto.randomUUID())
  expect(waiting).toMatchObject([{ txNonce: 2, pointless: null, needsEmptyForm: false }])
  expect(await listNewestRequests(pool, 9)).toHaveLength(5)
  expect(await listRelayGas(pool, 9)).toMatchObject([{ pool: 'pool', gasUsed: [3n, 4n] }])

  const blank = z.object({ status: z.string(), recipient: z.string().nullable() })
  const quotes = await pool.any(sql.type(blank)`select status, recipient from quote order by status, id`)
  expect(quotes.map(({ recipient }) => recipient)).toEqual(['recipient', null, 'recipient', 'recipient'])

  const paid = z.object({
    address: z.string(),
    feeReceiver: z.string().nullable(),
    feeBps: z.number().nullable(),
    tokenDecimals: z.int().nullable(),
    fees: z.array(z.bigint()),
  })
  const known = { feeReceiver: COLLECTOR, feeBps: 12.5, tokenDecimals: 6 }
  const payments = await pool.any(sql.type(paid)`
    select address, fee_receiver as "feeReceiver", fee_bps as "feeBps", token_decimals as "tokenDecimals",
      array[reservation.network_fee, reservation.service_fee] as fees
    from reservation join quote on quote.id = quote_id order by address`)
  expect(payments).toEqual([
    { address: 'eoa1', ...known, fees: [7n, 3n] },
    { address: 'eoa2', ...known, fees: [7n, 3n] },
    // It ended unsubmitted, so its recipient was deleted.
    { address: 'eoa3', feeReceiver: null, feeBps: null, tokenDecimals: null, fees: [0n, 0n] },
    { address: 'eoa4', ...known, fees: [2n, 2n] },
    { address: 'eoa5', ...known, fees: [5n, 1n] },
  ])

  const queued = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from intent where status = 'queued'`)
  await pool.transaction((transaction) =>
    endIntents(
      transaction,
      queued.map((id) => ({ id, status: 'succeeded', txHash: '0x', error: null })),
    ),
  )
  expect(await sumSends(pool)).toMatchObject([
    { token: 'token', symbol: 'TKN', decimals: 6, networkFee: 14n, serviceFee: 6n },
  ])
})
