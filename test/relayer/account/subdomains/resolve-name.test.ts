import {
  createPublicClient,
  decodeAbiParameters,
  encodeFunctionData,
  getAddress,
  http,
  namehash,
  parseAbi,
  parseEther,
  toCoinType,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { foundry } from 'viem/chains'
import { packetToBytes } from 'viem/ens'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { namesConfig } from '../../../../relayer/account/subdomains/config.ts'
import { createNameGateway } from '../../../../relayer/account/subdomains/lookup/name-gateway.ts'
import { readDescription } from '../../../devnet/devnet-description.ts'
import { OFFCHAIN_NAME } from '../../../devnet/deploy/devnet-names.ts'
import { pointNames } from '../../../devnet/deploy/point-names.ts'
import { call, post } from '../../../harness/call.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { openAccount, OWN_LIMITS } from '../open-account.ts'
import { openNames } from './open-names.ts'
import { tellPaymentPage } from './payment-page-story.ts'

const abi = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes)',
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
  'function contenthash(bytes32 node) view returns (bytes)',
  'function pubkey(bytes32 node) view returns (bytes32, bytes32)',
])
const FRESH_ADDRESSES = 60
const FRESH_FOR_LOOKUPS = 40
/** Limit of one network; the requests of all earlier tests fit in. */
const SHARE_OF_NETWORK = 15

let service: TestService
let names: Awaited<ReturnType<typeof openNames>>
let owner: Awaited<ReturnType<typeof openAccount>>
let name: string
beforeAll(async () => {
  service = await startTestService({
    ...OWN_LIMITS,
    addresses: { freshPerWindow: FRESH_ADDRESSES },
    names: { freshPerHour: FRESH_FOR_LOOKUPS, freshPerNetwork: SHARE_OF_NETWORK },
    // Not the vectors' chain, whose clock is ahead of the one by which answers expire.
    devnet: { ports: [0], chainIds: [31_337], asp: false },
  })
  owner = await openAccount(service.url)
  const { json } = await owner.send('POST', `${owner.path}/subdomain`, { subdomain: 'alice' })
  name = `${String(json?.['subdomain'])}.${OFFCHAIN_NAME}`
  names = await openNames(service)
})
afterAll(() => service?.stop())

const owns = (address: Address) => service.services.addresses.owns(owner.accountId, getAddress(address))

/** A lookup as the resolver contract encodes it. */
const question = (asked: string, data: Hex, encodedName: Hex = toHex(packetToBytes(asked))) =>
  encodeFunctionData({ abi, functionName: 'resolve', args: [encodedName, data] })
const addr = (asked: string) =>
  encodeFunctionData({ abi, functionName: 'addr', args: [namehash(asked)] as never })

let clients = 0
/** Asks the gateway directly, from a new network address each time. */
const ask = (data: Hex, sender: string = names.resolver) => {
  clients += 1
  return call(`${service.url}/ccip/${sender}/${data}.json`, {
    headers: { 'x-forwarded-for': `10.200.${clients >> 8}.${clients & 255}` },
  })
}
const resultOf = ({ json }: Awaited<ReturnType<typeof ask>>): Hex =>
  decodeAbiParameters([{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }], json?.['data'] as Hex)[0]

describe('a wallet that knows nothing of the service', () => {
  it('resolves a name, pays it, and the account owns the paid address', async () => {
    const to = await names.wallet.getEnsAddress({ name })
    expect(await owns(to!)).toBe(true)
    const hash = await names.wallet.sendTransaction({ to: to!, value: parseEther('1') })
    await names.wallet.waitForTransactionReceipt({ hash })
    expect(await names.wallet.getBalance({ address: to! })).toBe(parseEther('1'))
  })

  it('gets another address each time, also for one chain', async () => {
    const lookups = [
      ...Array.from({ length: 6 }, () => names.wallet.getEnsAddress({ name })),
      ...Array.from({ length: 3 }, () =>
        names.wallet.getEnsAddress({ name, coinType: toCoinType(names.wallet.chain.id) }),
      ),
    ]
    const found = await Promise.all(lookups)
    expect(new Set(found).size).toBe(9)
    for (const address of found) expect(await owns(address!)).toBe(true)
  })

  it('gets nothing for unowned names, for chains that are not served, and for other records', async () => {
    expect(await names.wallet.getEnsAddress({ name: `nobody.${OFFCHAIN_NAME}` })).toBeNull()
    expect(await names.wallet.getEnsAddress({ name: `a.b.${OFFCHAIN_NAME}` })).toBeNull()
    expect(await names.wallet.getEnsAddress({ name: OFFCHAIN_NAME })).toBeNull()
    expect(await names.wallet.getEnsAddress({ name, coinType: toCoinType(8_453) })).toBeNull()
    expect(await names.wallet.getEnsAddress({ name, coinType: 0n })).toBeNull()
    expect(await names.wallet.getEnsText({ name, key: 'avatar' })).toBeNull()
    expect(await names.wallet.getEnsText({ name, key: 'description' })).toBeNull()
  })

  it('may use POST where the resolver asks for it', async () => {
    const byPost = await openNames(service, `${service.url}/ccip`)
    expect(await owns((await byPost.wallet.getEnsAddress({ name }))!)).toBe(true)
  })

  it('refuses an answer for another resolver', async () => {
    const other = await openNames(service)
    const { json } = await ask(question(name, addr(name)), other.resolver)
    const check = (resolver: Address) =>
      names.wallet.readContract({
        address: resolver,
        abi: parseAbi(['function resolveWithProof(bytes response, bytes extraData) view returns (bytes)']),
        functionName: 'resolveWithProof',
        args: [json?.['data'] as Hex, question(name, addr(name))],
      })
    expect(await check(other.resolver)).toHaveLength(66)
    await expect(check(names.resolver)).rejects.toThrow('Invalid sigature')
  })
})

describe('the devnet', () => {
  it('has a universal resolver, through which viem resolves names of the service', async () => {
    const [chain] = (await readDescription(service.dataDir)).chains
    const { universalResolver, offchainResolver } = chain!.names
    const reader = createPublicClient({
      chain: { ...foundry, contracts: { ensUniversalResolver: { address: universalResolver } } },
      transport: http(chain!.rpcUrl),
    })
    const url = await reader.readContract({
      address: offchainResolver,
      abi: parseAbi(['function url() view returns (string)']),
      functionName: 'url',
    })
    expect(url).toBe(`${service.url}/ccip/{sender}/{data}.json`)
    expect(await owns((await reader.getEnsAddress({ name }))!)).toBe(true)
    expect(await reader.getEnsAddress({ name: `nobody.${OFFCHAIN_NAME}` })).toBeNull()
    expect(await reader.getEnsAddress({ name: 'client.eth' })).toBe(getAddress(chain!.accounts[0]!.address))
    expect(await reader.getEnsAddress({ name: 'unknown.eth' })).toBeNull()
    expect(await reader.getEnsAddress({ name: 'below.client.eth' })).toBeNull()
    // A service at another port may resume an existing devnet.
    for (const port of [80, 65_535]) {
      const other = `http://127.0.0.1:${port}`
      await pointNames(chain!.rpcUrl, offchainResolver, other)
      expect(
        await reader.readContract({
          address: offchainResolver,
          abi: parseAbi(['function url() view returns (string)']),
          functionName: 'url',
        }),
      ).toBe(`${other}/ccip/{sender}/{data}.json`)
    }
    await pointNames(chain!.rpcUrl, offchainResolver, service.url)
  })
})

describe('a send to a name of the service', () => {
  it('asks no chain and no gateway, and uses a new address for each quote', async () => {
    // The chain would refer readers to a closed port.
    await openNames(service, 'http://127.0.0.1:9/ccip/{sender}/{data}.json')
    const sender = await openAccount(service.url)
    const quoteTo = (destination: string) =>
      sender.send('POST', `${sender.path}/quote`, {
        type: 'send',
        chainId: names.wallet.chain.id,
        token: zeroAddress,
        amount: '1000',
        destinationAddress: destination,
      })
    const before = await service.services.addresses.count(owner.accountId)
    // The recipient is resolved before funds are chosen; there are none.
    for (const destination of [name, name.toUpperCase()])
      expect((await quoteTo(destination)).json).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await service.services.addresses.count(owner.accountId)).toBe(before + 2)
    expect((await quoteTo(`nobody.${OFFCHAIN_NAME}`)).json).toMatchObject({ code: 'DESTINATION_NOT_FOUND' })
    names = await openNames(service)
  })
})

describe('the gateway', () => {
  it.each([
    ['nothing', () => '0x' as const],
    ['a bare record', () => addr(name)],
    ['noise', () => `0x${'ab'.repeat(600)}` as const],
    [
      'a record that resolvers may have and this one has not',
      () => question(name, encodeFunctionData({ abi, functionName: 'pubkey', args: [namehash(name)] })),
    ],
    ['one name with the node of another', () => question(`nobody.${OFFCHAIN_NAME}`, addr(name))],
    ['a name that is cut short', () => question(name, addr(name), '0x05616c')],
    ['a name with more behind it', () => question(name, addr(name), `${toHex(packetToBytes(name))}00`)],
    [
      'a label with a dot in it',
      () =>
        question(
          name,
          addr(name),
          toHex(Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.of(0)])),
        ),
    ],
    ['too much', () => `0x${'ab'.repeat(4_000)}` as const],
  ])('refuses %s', async (_, data) => {
    const answer = await ask(data())
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: 'Bad request', message: expect.any(String) })
  })

  it('answers no names under another parent', async () => {
    for (const other of ['alice.other.eth', `alice${OFFCHAIN_NAME}`, 'eth'])
      expect((await ask(question(other, addr(other)))).status).toBe(404)
  })

  it('answers names in their normal form only', async () => {
    for (const other of [
      `Alice.${OFFCHAIN_NAME}`,
      `\u0430lice.${OFFCHAIN_NAME}`,
      `alice\u200d.${OFFCHAIN_NAME}`,
    ])
      expect(BigInt(resultOf(await ask(question(other, addr(other)))))).toBe(0n)
  })

  it('refuses a sender that is no address, in both forms', async () => {
    expect((await ask(question(name, addr(name)), '0x12')).status).toBe(400)
    const data = question(name, addr(name))
    expect((await post(`${service.url}/ccip`, { sender: 'me', data })).status).toBe(400)
    expect((await post(`${service.url}/ccip`, { data })).status).toBe(400)
  })

  it('limits each client, since a lookup takes an address', async () => {
    const headers = { 'x-forwarded-for': '10.250.0.1' }
    const asked = question(`nobody.${OFFCHAIN_NAME}`, addr(`nobody.${OFFCHAIN_NAME}`))
    const answers = await Promise.all(
      Array.from({ length: 65 }, () => call(`${service.url}/ccip/${names.resolver}/${asked}`, { headers })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })

  it('gives each address to one network only, and repeats the last one when the limit is reached', async () => {
    const addressOf = (answer: Awaited<ReturnType<typeof ask>>) =>
      decodeAbiParameters([{ type: 'address' }], resultOf(answer))[0]
    const attacker = { 'x-forwarded-for': '10.251.0.1' }
    const lookUp = (headers: Record<string, string>) =>
      call(`${service.url}/ccip/${names.resolver}/${question(name, addr(name))}.json`, { headers })
    const known = []
    for (let count = 0; count < 2 * SHARE_OF_NETWORK; count++) known.push(addressOf(await lookUp(attacker)))
    expect(new Set(known).size).toBe(SHARE_OF_NETWORK)
    expect(new Set(known.slice(SHARE_OF_NETWORK - 1)).size).toBe(1)

    // Many networks use up the name's hourly limit. Then strangers are refused, because an issued address is never
    // given to another reader.
    const answers = []
    for (let count = 0; count < FRESH_FOR_LOOKUPS + 5; count++)
      answers.push(await ask(question(name, addr(name))))
    const served = answers.filter(({ status }) => status === 200)
    const found = [...known.slice(0, SHARE_OF_NETWORK), ...served.map(addressOf)]
    expect(new Set(found).size).toBe(found.length)
    expect(found.length).toBeLessThanOrEqual(FRESH_FOR_LOOKUPS)
    for (const address of found) expect(await owns(getAddress(address))).toBe(true)
    const refused = answers.at(-1)!
    expect(refused).toMatchObject({ status: 429, json: { code: 'NAME_LOOKUPS_EXHAUSTED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(addressOf(await lookUp(attacker))).toBe(known.at(-1))
    // The account itself still gets unused addresses.
    const own = await owner.send('POST', `${owner.path}/payment-address`, {})
    expect(own.json).toMatchObject({ reused: false })
    expect(found).not.toContain(own.json?.['address'])
  })

  it('answers no name of a disabled account, and none without a configured parent', async () => {
    await service.database.pool.query(sql.typeAlias('void')`
      update account set disabled_at = now() where id = ${owner.accountId}`)
    expect(BigInt(resultOf(await ask(question(name, addr(name)))))).toBe(0n)

    const nameless = createNameGateway(
      { find: () => Promise.reject(new Error('there is no name to look up')) },
      namesConfig.parse({}),
      new Set(),
    )
    const asked = { sender: names.resolver, data: question(name, addr(name)) }
    await expect(nameless.answer(asked, 'somebody')).rejects.toMatchObject({ kind: 'not-found' })
  })
})

it.each([
  { parent: 'pay.eth' },
  { signerKey: `0x${'11'.repeat(32)}` },
  { parent: 'Pay.eth', signerKey: `0x${'11'.repeat(32)}` },
  { parent: 'eth', signerKey: `0x${'11'.repeat(32)}` },
  { parent: 'p\u0430y.eth', signerKey: `0x${'11'.repeat(32)}` },
  { parent: 'pay.eth', signerKey: '0x11' },
])('the configuration refuses %j', (settings) => {
  expect(namesConfig.safeParse(settings).success).toBe(false)
})

describe('the payment page', () =>
  tellPaymentPage(() => ({ service, payer: names.wallet, shareOfNetwork: SHARE_OF_NETWORK })))
