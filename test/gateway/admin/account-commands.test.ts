import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { runCli } from '../../harness/run-cli.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { openAccount, OWN_LIMITS, textOf } from '../../relayer/account/open-account.ts'
import { followCommand } from './follow-command.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(OWN_LIMITS)
})
afterAll(() => service?.stop())

const environment = () => ({ DATABASE_URL: service.database.url, DATA_DIR: service.dataDir })
const admin = (...args: string[]) =>
  runCli('gateway/admin/main.ts', ['addresses', 'rederive', ...args], environment())

test('the command derives the addresses that a restored database lacks', async () => {
  const owner = await openAccount(service.url)
  const receive = () => owner.send('POST', `${owner.path}/payment-address`, {})
  const lost = textOf(await receive(), 'address')
  await service.database.pool.query(sql.typeAlias('void')`
    delete from stealth_address where account_id = ${owner.accountId}`)
  await service.database.pool.query(sql.typeAlias('void')`
    update account set next_derivation_nonce = 0 where id = ${owner.accountId}`)
  expect(await admin(owner.accountId, '--count', '3')).toEqual({
    code: 0,
    stdout: '3 addresses were derived, 3 of them were missing\n',
    stderr: '',
  })
  expect((await owner.get(`${owner.path}/address-ownership?address=${lost}`)).json).toEqual({ owned: true })
  expect((await receive()).json).toMatchObject({ nonce: '3', reused: false })
})

test.each([
  [['00000000-0000-4000-8000-000000000000', '--count', '1'], 'There is no such account'],
  [['somebody', '--count', '1'], 'is no accountId'],
  [['00000000-0000-4000-8000-000000000000'], '--count'],
  [['00000000-0000-4000-8000-000000000000', '--count', '9999999'], '--count is 9999999'],
])('the arguments %j are refused with an explanation', async (args, words) => {
  const line = ['addresses', 'rederive', ...args]
  expect(await followCommand(line, service.database.pool, environment())).toMatchObject({
    refusal: { name: 'AdminError', message: expect.stringContaining(words) },
    printed: [],
  })
})
