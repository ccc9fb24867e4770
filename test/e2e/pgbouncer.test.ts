import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { post, relayBody, runConcurrently, untilFinal } from '../harness/relay-requests.ts'
import {
  hasDebianPostgres,
  makeServersFolder,
  startPgBouncer,
  type ServerProgram,
} from '../harness/start-debian-postgres.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { openAccount } from '../relayer/account/open-account.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'

describe.runIf(hasDebianPostgres('the service behind PgBouncer'))(
  'behind PgBouncer in transaction mode',
  () => {
    let database: TestDatabase
    let folder: Awaited<ReturnType<typeof makeServersFolder>>
    let bouncer: ServerProgram & { url: string }
    let service: TestService

    beforeAll(async () => {
      database = await openTestDatabase()
      folder = await makeServersFolder()
      // Fewer sessions of the server than the service has connections, so that transactions get one another's.
      bouncer = await startPgBouncer(folder, new URL(database.url), 5)
      const storage = { databaseUrl: bouncer.url, directUrl: database.url }
      service = await startTestService({ storage }, { hasVectorDeposits: true })
    })
    afterAll(async () => {
      await service?.stop()
      await bouncer?.kill()
      await folder?.remove()
      await database?.drop()
    })

    test("a pooler in a server's setting is refused with the setting for poolers", async () => {
      await expect(connectDatabase(bouncer.url)).rejects.toThrow(
        /unsupported startup parameter: \w+\. This is a pooler: set DATABASE_DIRECT_URL/,
      )
    })

    test('relays are confirmed and accounts get addresses, over a few sessions that everybody shares', async () => {
      const vectors = loadRelayVectors().relays.slice(0, 4)
      const relays = await runConcurrently(vectors, 4, async (vector) => {
        const { body } = await post(service.url, '/relayer/request', await relayBody(vector))
        expect(body).toMatchObject({ success: true, txHash: expect.any(String) })
        return untilFinal(service.url, String(body['requestId']))
      })
      expect(relays.map(({ status }) => status)).toEqual(vectors.map(() => 'confirmed'))
      const owners = await Promise.all(Array.from({ length: 6 }, () => openAccount(service.url)))
      const issued = await Promise.all(
        owners.map((owner) => owner.send('POST', `${owner.path}/payment-address`, {})),
      )
      expect(issued.map(({ status }) => status)).toEqual(owners.map(() => 201))
      // Nothing is left in a session that a stranger gets next; the lock of a pending transaction goes with it.
      const readLeft = () =>
        database.pool.one(sql.type(z.object({ locks: z.bigint(), listening: z.bigint() }))`
          select (select count(*) from pg_locks where locktype = 'advisory' and objid <> 0
              and pid <> pg_backend_pid()) as locks,
            (select count(*) from pg_stat_activity where datname = current_database() and query like 'listen%') as listening`)
      await expect.poll(readLeft).toEqual({ locks: 0n, listening: 2n })
    })
  },
)
