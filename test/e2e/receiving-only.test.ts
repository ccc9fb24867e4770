import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeStart } from '../../gateway/terminal.ts'
import { NATIVE_ASSET, type ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { call } from '../harness/call.ts'
import { openNewClient } from '../../schema/client/account/open-client.ts'
import { send } from '../../schema/client/quotes/send.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { post, relayBody } from '../harness/relay-requests.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { openAccount, OWN_LIMITS, signIn, textOf } from '../relayer/account/open-account.ts'
import { createWallet } from '../relayer/identity/wallet.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { openSender } from '../relayer/transact/quotes/open-sender.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'

/** The first chain has every capability, the second only receives. */
const FULL = 31_337
const RECEIVING = 31_338

let devnet: TestDevnet
let database: TestDatabase
let folder: string
let service: TestService
/** A rich account on the full chain, and one on the other. */
let payers: { full: Payer; receiving: Payer }
let dollar: Address

/** A chain as a configuration file holds it. */
function writeChain(chain: ChainConfig): Record<string, unknown> {
  const text = JSON.stringify(chain, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return JSON.parse(text) as Record<string, unknown>
}

function withoutCapabilities(chain: ChainConfig): Record<string, unknown> {
  const { relayer: _relayer, sending: _sending, names: _names, ...receiving } = chain
  return writeChain(receiving)
}

async function start(chains: readonly Record<string, unknown>[]): Promise<TestService> {
  const started = await startTestService({
    ...OWN_LIMITS,
    feeWaivers: { waiverDays: 0 },
    chains,
    storage: { databaseUrl: database.url, dataDir: folder },
  })
  // The devnet that the harness reads is beside the service's own folder here.
  return { ...started, dataDir: devnet.dataDir, database }
}

const chainsOfDevnet = () => {
  const [full, other] = devnet.devnet.chains
  return { full: full!, other: other! }
}

beforeAll(async () => {
  devnet = await startTestDevnet({ chainIds: [FULL, RECEIVING], ports: [0, 0], aspDelaySeconds: 3_600 })
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'receiving-only-'))
  const { full, other } = chainsOfDevnet()
  service = await start([writeChain(full), withoutCapabilities(other)])
  payers = { full: await openPayer(service, 5), receiving: await openPayer(service, 5, 1) }
  dollar = payers.receiving.chain.tokens.find(({ symbol }) => symbol === 'TUSD')!.address
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
  await devnet?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const somebody = () => privateKeyToAddress(generatePrivateKey())
const bodyOf = async (path: string) => (await call(`${service.url}${path}`)).text

test('clients and operators can read the abilities of each chain', async () => {
  const { json } = await call(`${service.url}/v1/supported-chains`)
  expect(json).toMatchObject([
    {
      chainId: FULL,
      capabilities: expect.arrayContaining(['receive', 'relay', 'send', 'pool_deposit', 'swap', 'names']),
    },
    { chainId: RECEIVING, capabilities: ['receive'] },
  ])
  await expect
    .poll(async () => (await call(`${service.url}/health/ready`)).json)
    .toEqual({
      ready: true,
      canSend: { [FULL]: { sends: true, relays: true } },
      checks: {
        database: { ok: true },
        'shared state': { ok: true },
        [`chain ${FULL} Devnet ${FULL}`]: { ok: true },
        [`chain ${RECEIVING} Devnet ${RECEIVING}`]: { ok: true },
      },
    })
  const { chains } = JSON.parse(await bodyOf('/status.json')) as { chains: Record<string, unknown>[] }
  expect(chains[0]).toMatchObject({ chainId: FULL, unpaidGas: { budget: '10000000' } })
  expect(chains[1]).toMatchObject({
    chainId: RECEIVING,
    capabilities: ['receive'],
    head: expect.stringMatching(/^\d+$/) as unknown,
    gasPrice: null,
    pools: [],
    unpaidGas: null,
    pendingTransactions: 0,
    signers: [],
  })
  const metrics = await bodyOf('/metrics')
  expect(metrics).toContain(`chain_capability{chain="${FULL}",capability="send"} 1`)
  expect(metrics).toContain(`chain_capability{chain="${RECEIVING}",capability="receive"} 1`)
  expect(metrics).toMatch(new RegExp(`chain_head_block\\{chain="${RECEIVING}"\\} \\d`))
  for (const figure of [
    'chain_gas_price_wei',
    'chain_pending_transactions',
    'unpaid_gas_budget',
    'signer_paused',
  ]) {
    expect(metrics).toContain(`${figure}{chain="${FULL}"`)
    expect(metrics).not.toContain(`${figure}{chain="${RECEIVING}"`)
  }
  expect(metrics).not.toContain(`capability="send",chain="${RECEIVING}"`)
  const [, ofFull = '', ofReceiving = ''] = (await bodyOf('/')).split(/<h2>Devnet/)
  expect(ofFull).toMatch(/receives, relays, sends, .*swaps, .*looks names up/)
  expect(ofFull).toContain('<th>Signer</th>')
  expect(ofReceiving).toContain('<b>receives</b>')
  expect(ofReceiving.split('</section>')[0]).not.toMatch(/Signer|gas|pool/)
  const startText = describeStart(service, service.config)
  expect(startText).toContain(`${FULL} Devnet ${FULL} at `)
  expect(startText).toMatch(new RegExp(`${RECEIVING} Devnet ${RECEIVING} at [^ ]+: receiving only`))
})

test('a chain without a relayer is received on: balances, activity, tokens and prices', async () => {
  const receiver = await openSender(service, payers.receiving)
  const address = await receiver.receive(dollar, parseUnits('25', 6))
  await payers.receiving.payNative(address, parseEther('0.5'))
  await waitUntilIndexed(service, payers.receiving)
  const { body } = await receiver.get(`/balance/${RECEIVING}`)
  const { balances } = body as { balances: { token: string; visible: object; usdAmount: number | null }[] }
  const held = Object.fromEntries(balances.map(({ token, visible }) => [token, visible]))
  expect(held).toEqual({
    [zeroAddress]: { available: String(parseEther('0.5')), pending: '0' },
    [dollar]: { available: '25000000', pending: '0' },
  })
  expect(balances.find(({ token }) => token === zeroAddress)?.usdAmount).toBeGreaterThan(0)
  const { body: activities } = await receiver.get('/activities')
  expect(activities['activity']).toMatchObject([
    { chainId: RECEIVING, kind: 'RECEIVE' },
    { chainId: RECEIVING, kind: 'RECEIVE' },
  ])
  const token = await call(`${service.url}/v1/token-lookup?chainId=${RECEIVING}&address=${dollar}`, {
    headers: receiver.headers,
  })
  expect(token).toMatchObject({ status: 200, json: { symbol: 'TUSD', decimals: 6 } })
  const catalog = await call(`${service.url}/v1/token-catalog?chainId=${RECEIVING}`)
  expect(catalog.json?.['tokens']).toMatchObject([
    { chainId: RECEIVING, address: zeroAddress, symbol: 'ETH' },
  ])
  expect(await receiver.get(`/recipient-address-kind?chainId=${RECEIVING}&address=${dollar}`)).toMatchObject({
    status: 200,
    body: { kind: 'contract' },
  })
})

test('an unsupported request is refused with CHAIN_NOT_SUPPORTED, and the full chain goes on serving it', async () => {
  const refused = { status: 400, json: { code: 'CHAIN_NOT_SUPPORTED' } }
  const details = (chainId: number) =>
    call(`${service.url}/relayer/details?chainId=${chainId}&assetAddress=${NATIVE_ASSET}`)
  expect(await details(RECEIVING)).toMatchObject(refused)
  await expect.poll(async () => (await details(FULL)).status).toBe(200)
  const ask = {
    chainId: RECEIVING,
    amount: String(parseEther('1')),
    asset: NATIVE_ASSET,
    recipient: somebody(),
  }
  const quoted = await call(`${service.url}/relayer/quote`, { method: 'POST', body: ask })
  expect(quoted).toMatchObject(refused)
  const [vector] = loadRelayVectors().relays
  const body = { ...(await relayBody(vector!)), chainId: RECEIVING }
  expect(await post(service.url, '/relayer/request', body)).toMatchObject({
    status: 200,
    body: { success: false, error: expect.stringMatching(/^CHAIN_NOT_SUPPORTED: /) as unknown },
  })

  const receiver = await openSender(service, payers.receiving)
  await receiver.receive(dollar, parseUnits('25', 6))
  const send = { token: dollar, amount: '1000000', destinationAddress: somebody() }
  const refusal = { status: 400, body: { code: 'CHAIN_NOT_SUPPORTED' } }
  expect(await receiver.quote(send)).toMatchObject(refusal)
  expect(await receiver.quote({ ...send, destinationAddress: 'vitalik.eth' })).toMatchObject(refusal)
  expect(
    await receiver.post('/max-spendable', { chainId: RECEIVING, token: dollar, type: 'send' }),
  ).toMatchObject(refusal)

  const sender = await openSender(service, payers.full)
  const own = payers.full.chain.tokens.find(({ symbol }) => symbol === 'TUSD')!.address
  await sender.receive(own, parseUnits('25', 6))
  expect(await sender.quote({ ...send, token: own })).toMatchObject({ status: 200 })

  const { json: pools } = await (await signIn(service.url)).get('/v1/supported-pools')
  expect(new Set((pools as unknown as { chainId: number }[]).map(({ chainId }) => chainId))).toEqual(
    new Set([FULL]),
  )
})

test('after a restart the chain is where it was, and with a relayer it is read again and relayed on', async () => {
  const wallet = createWallet()
  const owner = await openAccount(service.url, wallet)
  const address = textOf(await owner.send('POST', `${owner.path}/payment-address`, {}), 'address') as Address
  const balance = async () => {
    await waitUntilIndexed(service, payers.receiving)
    const client = await signIn(service.url, wallet)
    const answer = await client.get(`${owner.path}/balance/${RECEIVING}/${zeroAddress}`)
    return (answer.json!['visible'] as { available: string }).available
  }
  await payers.receiving.payNative(address, 3n)
  expect(await balance()).toBe('3')
  await service.stop()

  const { full, other } = chainsOfDevnet()
  service = await start([withoutCapabilities(other)])
  // Only receiving is served now, which is enough to be ready.
  await expect.poll(async () => (await call(`${service.url}/health/ready`)).status).toBe(200)
  expect(await bodyOf('/')).toContain('/v1/supported-chains')
  expect((await (await signIn(service.url)).get('/v1/supported-pools')).json).toEqual([])
  await payers.receiving.payNative(address, 4n)
  expect(await balance()).toBe('7')
  const resyncs = async () =>
    (
      JSON.parse(await bodyOf('/status.json')) as { indexing: { chainId: number; resyncs: number }[] }
    ).indexing.find(({ chainId }) => chainId === RECEIVING)?.resyncs
  expect(await resyncs()).toBe(0)
  await service.stop()

  service = await start([writeChain(full), writeChain(other)])
  await expect
    .poll(
      async () =>
        (await call(`${service.url}/relayer/details?chainId=${RECEIVING}&assetAddress=${NATIVE_ASSET}`))
          .status,
    )
    .toBe(200)
  await expect.poll(resyncs).toBe(1)
  expect(await balance()).toBe('7')
})

test('on a chain without privacy pools accounts send, and nothing warns of pools', async () => {
  await service.stop()
  const { full } = chainsOfDevnet()
  const { relayer, ...chain } = writeChain(full)
  const { entrypoint: _entrypoint, assets: _assets, ...signers } = relayer as Record<string, unknown>
  service = await start([{ ...chain, relayer: signers }])
  const { orchestrator, accountProxy } = full.sending!
  const known = { chainId: FULL, orchestrator, accountProxy }
  const client = await openNewClient({ url: service.url, chains: [known] })
  await payers.full.payNative((await client.receive()).address, parseEther('1'))
  await waitUntilIndexed(service, payers.full)
  const destination = somebody()
  const terms = { chainId: FULL, token: zeroAddress, amount: parseEther('0.1'), maxFee: parseEther('0.5') }
  await send(client, { ...terms, destination })
  expect(await payers.full.wallet.reader.getBalance({ address: destination })).toBe(parseEther('0.1'))

  const { json: health } = await call(`${service.url}/health/ready`)
  expect(health).toMatchObject({ ready: true, canSend: { [FULL]: { sends: true, relays: false } } })
  const { alarms, chains } = JSON.parse(await bodyOf('/status.json')) as {
    alarms: { code: string }[]
    chains: { capabilities: string[]; signers: { address: Address }[] }[]
  }
  expect(alarms.map(({ code }) => code)).not.toContain('POOL_STALE')
  expect(chains[0]?.capabilities).toEqual(expect.arrayContaining(['receive', 'send']))
  expect(chains[0]?.capabilities).not.toEqual(expect.arrayContaining(['relay']))
  expect(await bodyOf('/')).toContain('<th>Signer</th>')
  const { wallet } = payers.full
  for (const { address } of chains[0]!.signers)
    await wallet.reader.request({ method: 'anvil_setBalance', params: [address, '0x0'] } as never)
  await payers.full.payNative(destination, 1n)
  const readDry = async () => {
    const status = JSON.parse(await bodyOf('/status.json')) as { alarms: { code: string; subject: string }[] }
    return status.alarms.filter(({ code }) => code === 'SIGNER_DRY').map(({ subject }) => subject)
  }
  await expect.poll(readDry).toEqual(['sends'])
  expect(describeStart(service, service.config)).toMatch(
    new RegExp(`${FULL} Devnet ${FULL} at [^ ]+: no pools\n`),
  )
})
