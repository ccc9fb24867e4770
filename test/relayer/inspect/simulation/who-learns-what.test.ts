import { PassThrough } from 'node:stream'
import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import { countRpc, type RpcCounter } from '../../../harness/count-rpc.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

let world: TestDevnet
let node: RpcCounter
let service: TestService
let client: Client
const lines: string[] = []

beforeAll(async () => {
  world = await startTestDevnet({ deterministic: true })
  const [chain] = world.devnet.chains
  node = await countRpc(chain!.rpcUrls[0]!)
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const settings = JSON.parse(JSON.stringify(chain, asText)) as object
  const log = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()))
  service = await startTestService(
    { chains: [{ ...settings, rpcUrls: [node.url] }], logLevel: 'trace', http: { trustedProxies: 1 } },
    { log },
  )
  client = await openNewClient({ url: service.url })
})
afterAll(async () => {
  await service?.stop()
  await node?.close()
  await world?.[Symbol.asyncDispose]()
})

const bare = (text: string) => text.replace(/^0x/, '').toLowerCase()

test('the node hears of the call alone, and neither log nor database of any of it', async () => {
  const [{ address: from }, { address: other }] = [await client.receive(), await client.receive()]
  const [token, friend] = [world.chain.tokens[0]!.address, somebody()]
  const authAddress = await service.database.pool.oneFirst(sql.type(z.object({ address: z.string() }))`
    select auth_address as address from account where id = ${client.accountId}::uuid`)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 0n] })
  // The index may search for earlier receipts of the addresses before it knows a block.
  const isKnown = () =>
    service.database.pool.oneFirst(sql.type(z.object({ known: z.bigint() }))`
      select count(*) as known from watched_address join stealth_address using (address)
      where account_id = ${client.accountId}::uuid and near_from is not null and history_next is null
        and not exists (select from holding where holding.address = watched_address.address and stale)`)
  await expect.poll(isKnown).toBe(2n)
  node.takeBodies()
  lines.length = 0
  const answer = await fetch(`${service.url}/v1/simulate`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${client.token}`,
      'x-forwarded-for': '198.51.100.77',
    },
    body: JSON.stringify({ chainId: 31_337, from, to: token, data }),
  })
  expect(await answer.json()).toMatchObject({ success: true })
  const told = node.takeBodies().join('\n').toLowerCase()
  expect(told).toContain(bare(from))
  expect(told).toContain(bare(friend))
  for (const secret of [other, authAddress, client.accountId, '198.51.100.77', client.token])
    expect(told).not.toContain(bare(secret))
  const logged = lines.join('').toLowerCase()
  expect(logged).toContain('"operation":"simulate"')
  for (const text of [from, friend, bare(data), other, client.accountId])
    expect(logged).not.toContain(bare(text))
  const stored = await service.database.pool.anyFirst(sql.type(z.object({ found: z.string() }))`
    select query_to_xml('select 1 from ' || quote_ident(table_name) || ' as told where strpos(lower(told::text), '
      || quote_literal(${bare(friend)}) || ') > 0', true, true, '')::text as found
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  expect(stored.join('')).toBe('')
})

const somebody = () => privateKeyToAddress(generatePrivateKey())
