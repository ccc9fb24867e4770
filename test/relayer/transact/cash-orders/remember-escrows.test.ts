import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { venuesConfig } from '../../../../relayer/chain/nodes/venues-config.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { randomAddress } from '../../chain/indexer/chain-calls.ts'
import { CASH_CHAIN, seedCashOrders } from './seed-cash-orders.ts'
import { rememberContracts } from '../../../../relayer/transact/remember-contracts.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

it('an escrow is followed while a cash-out there is open or ended today, although another one is configured', async () => {
  const { pool } = database
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  await seedCashOrders(pool, 2)
  const escrow = await pool.oneFirst(sql.unsafe`select distinct escrow from cash_order`)
  const chainWith = (address: string) => ({
    chainId: CASH_CHAIN,
    sending: undefined,
    venues: venuesConfig.parse({
      peer: {
        escrow: address,
        orchestrator: randomAddress(),
        curatorUrl: 'http://127.0.0.1:1',
        gatingService: randomAddress(),
        tokens: [randomAddress()],
        methods: [{ name: 'venmo', currencies: ['USD'] }],
        rates: [{ currency: 'USD', adapter: randomAddress(), adapterConfig: '0x01' }],
        minIntentAmount: '1',
      },
    }),
  })
  const followed = async (address: string) =>
    (await rememberContracts({ database: pool, logger }, [chainWith(address)])).escrows
      .get(CASH_CHAIN)
      ?.map((one) => one.escrow)
  const [before, after] = [String(escrow), randomAddress()]
  expect(await followed(before)).toEqual([before])
  expect(warnings).toEqual([])
  expect(await followed(after)).toEqual([after, before])
  expect(warnings.join()).toMatch('no longer configured: they are followed to their end')

  await pool.query(sql.typeAlias(
    'void',
  )`update cash_order set phase = 'completed', deposit_id = 1, deposit_tx = '0x01',
    ended_at = now() - interval '2 days'`)
  expect(await followed(after)).toEqual([after])
})
