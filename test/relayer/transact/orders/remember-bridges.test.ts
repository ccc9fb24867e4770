import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { venuesConfig } from '../../../../relayer/chain/nodes/venues-config.ts'
import { rememberContracts } from '../../../../relayer/transact/remember-contracts.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { randomAddress } from '../../chain/indexer/chain-calls.ts'
import { DESTINATION, ORIGIN, seedOrders } from './seed-orders.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

it('the service follows pending orders by the earlier SpokePools and handlers, although others are configured', async () => {
  const { pool } = database
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  await seedOrders(pool, 2)
  const followed = async (spokePool: string, multicallHandler?: string) => {
    const across = {
      spokePool,
      multicallHandler,
      feesUrl: 'http://127.0.0.1:1',
      tokens: [{ asset: 'USDC', token: randomAddress() }],
    }
    const chains = [ORIGIN, DESTINATION].map((chainId) => ({
      chainId,
      venues: venuesConfig.parse({ across }),
      sending: undefined,
    }))
    const { bridges } = await rememberContracts({ database: pool, logger }, chains)
    expect(bridges.get(ORIGIN)?.length).toBe(bridges.get(DESTINATION)?.length)
    return bridges.get(DESTINATION)?.map((one) => [one.spokePool, one.multicallHandler])
  }
  const [first, second, third] = [randomAddress(), randomAddress(), randomAddress()]
  const [handler, other] = [randomAddress(), randomAddress()]
  expect(await followed(first, handler)).toEqual([[first, handler]])
  expect(warnings).toEqual([])
  expect(await followed(second, handler)).toEqual([
    [second, handler],
    [first, handler],
  ])
  expect(warnings.join()).toMatch('no longer configured: they are followed to their end')
  // Another handler, none, and back to the first: none of them is lost.
  expect(await followed(second, other)).toHaveLength(3)
  expect(await followed(third)).toHaveLength(4)
  expect(await followed(first, handler)).toHaveLength(4)

  await pool.query(sql.typeAlias('void')`
    update bridge_order set status = 'failed', ended_at = now() - interval '2 days'`)
  expect(await followed(third)).toEqual([[third, null]])
})

it('intents are read of every Orchestrator that was ever configured', async () => {
  const [before, after] = [randomAddress(), randomAddress()]
  const remembered = async (orchestrator: string) => {
    const sending = { orchestrator, accountProxy: randomAddress(), accountImplementation: randomAddress() }
    const chain = { chainId: ORIGIN, venues: venuesConfig.parse({}), sending: sending as never }
    const base = { database: database.pool, logger: pino({ level: 'silent' }) }
    return (await rememberContracts(base, [chain])).orchestrators.get(ORIGIN)
  }
  expect(await remembered(before)).toEqual([before])
  expect(await remembered(after)).toEqual([before, after])
  expect(await remembered(before)).toEqual([before, after])
})
