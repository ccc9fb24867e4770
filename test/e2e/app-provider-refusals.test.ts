import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  numberToHex,
  parseEther,
  stringToHex,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { openAppWallet, type AppWallet } from '../harness/open-app-wallet.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import type { AppProvider } from '../../schema/client/provider/app-provider.ts'

const ORIGIN = 'https://app.example'

let service: TestService
let payer: Payer
let token: Address
let wallet: AppWallet
let provider: AppProvider
let address: Address
let chainId: Hex

const somebody = () => privateKeyToAddress(generatePrivateKey())
const request = (method: string, ...params: unknown[]) => provider.request({ method, params })
/** The parameter of `wallet_sendCalls`, with changes. */
const batch = (changes: Record<string, unknown> = {}) => ({
  version: '2.0.0',
  from: address,
  chainId,
  atomicRequired: true,
  calls: [{ to: somebody(), value: '0x1' }],
  ...changes,
})

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 6)
  token = payer.chain.tokens[0]!.address
  chainId = numberToHex(payer.chain.chainId)
  wallet = await openAppWallet(service, payer)
  provider = wallet.createProvider(ORIGIN)
  ;[address] = (await request('eth_requestAccounts')) as [Address]
  await payer.payNative(address, parseEther('1'))
  await waitUntilIndexed(service, payer)
})
beforeEach(() => {
  wallet.asked.length = wallet.sent.length = 0
})
afterAll(() => service?.stop())

test.each([
  ['of an address that is not the app’s', 4100, () => batch({ from: somebody() })],
  ['to the address itself', 4100, () => batch({ calls: [{ to: somebody() }, { to: address }] })],
  ['to the orchestrator', 4100, () => batch({ calls: [{ to: payer.chain.intents.orchestrator }] })],
  [
    'to the contract of the account',
    4100,
    () => batch({ calls: [{ to: payer.chain.intents.accountProxy }] }),
  ],
  ['on a chain that the wallet does not serve', 5710, () => batch({ chainId: '0x1' })],
  [
    'that need a capability',
    5700,
    () => batch({ capabilities: { paymasterService: { url: 'https://pay.example' } } }),
  ],
  [
    'one of which needs a capability',
    5700,
    () => batch({ calls: [{ to: somebody(), capabilities: { flow: {} } }] }),
  ],
  [
    'that are more than fit into a quote',
    5740,
    () => batch({ calls: Array.from({ length: 17 }, () => ({ to: somebody() })) }),
  ],
  ['of another version', -32602, () => batch({ version: '1.0' })],
  ['without any', -32602, () => batch({ calls: [] })],
  ['that deploy a contract', -32602, () => batch({ calls: [{ data: '0x6000' }] })],
  ['with a decimal value', -32602, () => batch({ calls: [{ to: somebody(), value: '1' }] })],
  ['with an empty value', -32602, () => batch({ calls: [{ to: somebody(), value: '0x' }] })],
  ['with a decimal chain id', -32602, () => batch({ chainId: String(payer.chain.chainId) })],
])('calls %s are refused before the user or the service is asked', async (_, code, asked) => {
  await expect(request('wallet_sendCalls', asked())).rejects.toMatchObject({ code })
  expect([wallet.asked, wallet.sent]).toEqual([[], []])
})

test('a capability that the app can do without is left out', async () => {
  const capabilities = { paymasterService: { url: 'https://pay.example', optional: true } }
  const { id } = (await request('wallet_sendCalls', batch({ capabilities }))) as { id: string }
  await expect.poll(() => request('wallet_getCallsStatus', id)).toMatchObject({ status: 200 })
  await waitUntilIndexed(service, payer)
})

test('an id names one batch of one app', async () => {
  const [first, second] = await Promise.allSettled([
    request('wallet_sendCalls', batch({ id: 'order-1' })),
    request('wallet_sendCalls', batch({ id: 'order-1' })),
  ])
  expect([first, second]).toMatchObject([{ value: { id: 'order-1' } }, { reason: { code: 5720 } }])
  const other = wallet.createProvider('https://other.example')
  await other.request({ method: 'eth_requestAccounts' })
  const asked = { method: 'wallet_getCallsStatus', params: ['order-1'] }
  await expect(other.request(asked)).rejects.toMatchObject({ code: 5730 })
  await expect.poll(() => provider.request(asked)).toMatchObject({ status: 200, atomic: true, chainId })
  await waitUntilIndexed(service, payer)
})

test('a batch of which one call fails is refused without a transaction, and its id is free again', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [somebody(), 1n] })
  const friend = somebody()
  const failing = batch({
    id: 'order-2',
    calls: [
      { to: friend, value: '0x5' },
      { to: token, data },
    ],
  })
  const refusal = request('wallet_sendCalls', failing)
  await expect(refusal).rejects.toMatchObject({
    code: -32003,
    message: expect.stringContaining('would fail'),
  })
  expect(wallet.sent).toEqual([`POST /v1/accounts/${wallet.client.accountId}/quote`])
  const poor = batch({ id: 'order-2', calls: [{ to: friend, value: numberToHex(parseEther('2')) }] })
  await expect(request('wallet_sendCalls', poor)).rejects.toMatchObject({
    message: expect.stringContaining('too little'),
  })
  expect(await payer.wallet.reader.getBalance({ address: friend })).toBe(0n)
  await expect(request('wallet_getCallsStatus', 'order-2')).rejects.toMatchObject({ code: 5730 })
})

test('a batch that fails in its block has done nothing and is reported as reverted', async () => {
  const [friend, target] = [somebody(), somebody()]
  const control = createTestClient({ mode: 'anvil', transport: http(payer.chain.rpcUrl) })
  const calls = [friend, target].map((to) => ({ to, value: '0x5' }))
  await control.setAutomine(false)
  try {
    await request('wallet_sendCalls', batch({ id: 'order-3', calls }))
    await expect.poll(async () => (await control.getTxpoolStatus()).pending).toBe(1)
    // Simulated when it accepted coins, mined when it does not any more.
    await control.setCode({ address: target, bytecode: '0x5f5ffd' })
  } finally {
    await control.setAutomine(true)
    await control.mine({ blocks: 1 })
  }
  const status = () => request('wallet_getCallsStatus', 'order-3')
  await expect.poll(status).toEqual({ version: '2.0.0', id: 'order-3', chainId, atomic: true, status: 500 })
  expect(await payer.wallet.reader.getBalance({ address: friend })).toBe(0n)
  await waitUntilIndexed(service, payer)
})

test('an app learns nothing of the account from a refusal of the service', async () => {
  const { address: own } = await wallet.client.receive()
  const answer = await provider.answer({
    method: 'wallet_sendCalls',
    params: [batch({ calls: [{ to: own }] })],
  })
  expect(answer).toEqual({
    error: { code: -32603, message: 'the wallet could not do this', data: undefined },
  })
})

test('a transaction that would do more than its call is refused', async () => {
  const call = { from: address, to: somebody(), value: '0x1' }
  for (const more of [
    { authorizationList: [] },
    { blobs: [] },
    { data: '0x01', input: '0x02' },
    { chainId: '0x1' },
    { from: undefined },
  ])
    await expect(request('eth_sendTransaction', { ...call, ...more })).rejects.toMatchObject({ code: -32602 })
  const foreign = request('eth_sendTransaction', { ...call, from: somebody() })
  await expect(foreign).rejects.toMatchObject({ code: 4100 })
  expect([wallet.asked, wallet.sent]).toEqual([[], []])
})

test('the wallet signs nothing for an app that could spend or sign in, whatever its user says', async () => {
  const { orchestrator, accountProxy } = payer.chain.intents
  const call = [{ name: 'to', type: 'address' }]
  const typed = (verifyingContract: Address, domain: object = {}) =>
    JSON.stringify({
      domain: { name: 'Orchestrator', version: '0.5.5', verifyingContract, ...domain },
      types: {
        Intent: [
          { name: 'eoa', type: 'address' },
          { name: 'calls', type: 'Call[]' },
        ],
        Call: call,
      },
      primaryType: 'Intent',
      message: { eoa: address, calls: [{ to: somebody() }] },
    })
  // An intent for this chain, one for every chain, an order to the delegated address, in any spelling.
  for (const asked of [
    typed(orchestrator, { chainId: payer.chain.chainId }),
    typed(orchestrator),
    typed(orchestrator.toLowerCase() as Address),
    typed(`0x${orchestrator.slice(2).toUpperCase()}`),
    typed(address),
    typed(accountProxy),
  ])
    await expect(request('eth_signTypedData_v4', address, asked)).rejects.toMatchObject({ code: 4100 })
  const elsewhere = typed(token, { chainId: 1 })
  await expect(request('eth_signTypedData_v4', address, elsewhere)).rejects.toMatchObject({ code: -32602 })
  await expect(request('eth_signTypedData_v4', address, '{')).rejects.toMatchObject({ code: -32602 })
  await expect(request('eth_signTypedData_v4', somebody(), typed(token))).rejects.toMatchObject({
    code: 4100,
  })

  const rest =
    '\n\nURI: https://app.example/login\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2030-01-01T00:00:00Z'
  const intro = 'wants you to sign in with your Ethereum account:'
  for (const text of [
    `localhost:3000 ${intro}\n${address}${rest.replace('https://app.example', 'http://localhost:3000')}`,
    `bank.example ${intro}\n${address}${rest}`,
    `app.example ${intro}\n${address}${rest.replace('app.example', 'bank.example')}`,
    `app.example ${intro}\n${somebody()}${rest}`,
    `Hello\nbank.example ${intro.toUpperCase()}\n${address}${rest}`,
  ])
    await expect(request('personal_sign', stringToHex(text), address)).rejects.toMatchObject({ code: 4100 })
  const service = wallet.createProvider('http://localhost:3000')
  const [own] = (await service.request({ method: 'eth_requestAccounts' })) as [Address]
  const signIn = `localhost:3000 ${intro}\n${own}${rest.replace('https://app.example', 'http://localhost:3000')}`
  const params = [stringToHex(signIn), own]
  await expect(service.request({ method: 'personal_sign', params })).rejects.toMatchObject({ code: 4100 })
  for (const method of [
    'eth_sign',
    'eth_signTransaction',
    'wallet_signAuthorization',
    'wallet_showCallsStatus',
    'constructor',
  ])
    await expect(request(method, address, '0x00')).rejects.toMatchObject({ code: 4200 })
  expect(wallet.asked.filter(({ kind }) => kind !== 'connect')).toEqual([])
})

test('a page that changes the chain hears of it, and has nothing signed for the former chain', async () => {
  const { rpcUrl, intents } = payer.chain
  const heard: unknown[] = []
  const two = wallet.createProvider(ORIGIN, (...event) => heard.push(event), {
    chains: [
      { ...intents, chainId: payer.chain.chainId, rpcUrl },
      { ...intents, chainId: 10, rpcUrl },
    ],
  })
  const ask = (method: string, ...params: unknown[]) => two.request({ method, params })
  await expect(ask('personal_sign', '0x00', address)).rejects.toMatchObject({ code: 4100 })
  await expect(ask('wallet_sendCalls', batch())).rejects.toMatchObject({ code: 4100 })
  await ask('eth_requestAccounts')
  expect(await ask('wallet_getCapabilities', address, ['0xa'])).toEqual({
    '0xa': { atomic: { status: 'supported' } },
  })
  const typed = { domain: { chainId: payer.chain.chainId }, types: { A: [] }, primaryType: 'A', message: {} }
  expect(await ask('eth_signTypedData_v4', address, typed)).toMatch(/^0x[0-9a-f]{130}$/)
  await ask('wallet_switchEthereumChain', { chainId: '0xa' })
  await ask('wallet_switchEthereumChain', { chainId: '0xa' })
  expect(await ask('eth_chainId')).toBe('0xa')
  await expect(ask('eth_signTypedData_v4', address, typed)).rejects.toMatchObject({ code: -32602 })
  expect(heard).toEqual([
    ['connect', { chainId }],
    ['accountsChanged', [address]],
    ['chainChanged', '0xa'],
  ])
})

test('a page changes to no chain that the wallet does not serve, and asks the node for nothing but reads', async () => {
  await expect(request('wallet_switchEthereumChain', { chainId: '0x1' })).rejects.toMatchObject({
    code: 4902,
  })
  expect(await request('wallet_switchEthereumChain', { chainId })).toBe(null)
  expect(BigInt((await request('eth_getBalance', address, 'latest')) as Hex)).toBeGreaterThan(0n)
  const reverting = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [somebody(), 1n] })
  const answer = await provider.answer({
    method: 'eth_call',
    params: [{ from: address, to: token, data: reverting }, 'latest'],
  })
  expect(answer).toMatchObject({ error: { code: 3, data: expect.stringMatching(/^0x/) } })
  await expect(request('eth_sendRawTransaction', '0x00')).rejects.toMatchObject({ code: 4200 })
  for (const nonsense of [null, 'eth_accounts', {}, { method: 'eth_accounts', params: {} }])
    expect(await provider.answer(nonsense)).toMatchObject({ error: { code: -32602 } })
})
