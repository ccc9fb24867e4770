import {
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  numberToHex,
  parseEther,
  stringToHex,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compileSolidity } from '../harness/compile-solidity.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { createQuoteForger } from '../harness/create-quote-forger.ts'
import { openAppWallet, type AppWallet } from '../harness/open-app-wallet.ts'
import { runCli } from '../harness/run-cli.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { decodeCalls } from './examples/check-quote.ts'
import type { AppProvider } from './examples/app-provider.ts'
import type { Client } from './examples/client.ts'
import { readBatchReceipt } from './examples/read-app-chain.ts'
import type { Call } from './examples/read-canonical-calls.ts'
import type { Intent, Quote } from './examples/send.ts'

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

test('what could spend or sign in is not signed for an app, whatever its user says', async () => {
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

/** A wallet whose service answers with another quote than it made, under a valid signature. */
async function askLiar(lie: (quote: Quote) => Quote, maxFee?: bigint): Promise<unknown> {
  const forger = createQuoteForger()
  const { client } = wallet
  const ask = async (method: string, path: string, body?: unknown) => {
    if (path.endsWith('quote-signer-public-key')) return forger.key
    const answer = await client.ask<Quote>(method, path, body)
    return path.endsWith('/quote') ? forger.sign(lie(answer)) : answer
  }
  const deceived = wallet.createProvider(ORIGIN, undefined, {
    client: { ...client, ask: ask as Client['ask'] },
    ...(maxFee !== undefined && { maxFee }),
  })
  await deceived.request({ method: 'eth_requestAccounts' })
  const calls = [
    { to: token, data: '0x18160ddd' },
    { to: somebody(), value: '0x5' },
  ]
  return deceived.request({ method: 'wallet_sendCalls', params: [batch({ calls })] })
}

const changeIntent = (change: (intent: Intent) => Partial<Intent>) => (quote: Quote) => ({
  ...quote,
  intents: quote.intents.map((intent) => ({ ...intent, ...change(intent) }) as Intent),
})
const changeCalls = (change: (calls: [Call, Call, Call]) => Call[]) =>
  changeIntent(({ executionData }) => ({
    executionData: encodeAbiParameters(
      [
        {
          type: 'tuple[]',
          components: [
            { type: 'address', name: 'to' },
            { type: 'uint256', name: 'value' },
            { type: 'bytes', name: 'data' },
          ],
        },
      ],
      [change([...decodeCalls(executionData)] as [Call, Call, Call])],
    ),
  }))
const delegate = (changes: object) => (quote: Quote) => ({
  ...quote,
  delegations: [
    {
      chainId: payer.chain.chainId,
      address,
      contractAddress: payer.chain.intents.accountProxy,
      derivationNonce: 0,
      authorizationNonce: 0,
      ...changes,
    },
  ],
})

test.each<[string, string, (quote: Quote) => Quote]>([
  [
    'pays somebody else',
    'other calls',
    changeCalls(([one, two, fee]) => [one, { ...two, to: somebody() }, fee]),
  ],
  ['pays more', 'other calls', changeCalls(([one, two, fee]) => [one, { ...two, value: 6n }, fee])],
  [
    'calls another function',
    'other calls',
    changeCalls(([one, two, fee]) => [{ ...one, data: '0x313ce567' }, two, fee]),
  ],
  ['changes the order', 'other calls', changeCalls(([one, two, fee]) => [two, one, fee])],
  ['leaves a call out', 'other calls', changeCalls(([one, , fee]) => [one, fee])],
  [
    'adds a call before the fee',
    'more than one fee',
    changeCalls(([one, two, fee]) => [one, two, { ...two, value: 1n }, fee]),
  ],
  [
    'adds a call in the place of the fee',
    'calls something else',
    changeCalls(([one, two]) => [one, two, one]),
  ],
  [
    'takes another fee than it says',
    'costs something else',
    changeCalls(([one, two, fee]) => [one, two, { ...fee, value: fee.value + 1n }]),
  ],
  [
    'takes a high fee',
    'at most',
    changeCalls(([one, two, fee]) => [one, two, { ...fee, value: parseEther('0.02') }]),
  ],
  ['acts as another address', 'another address', changeIntent(() => ({ eoa: somebody() }))],
  [
    'has two intents',
    'another address',
    (quote) => ({ ...quote, intents: [...quote.intents, ...quote.intents] }),
  ],
  [
    'is for another contract',
    'than the orchestrator',
    changeIntent(({ domain }) => ({ domain: { ...domain, verifyingContract: token } })),
  ],
  [
    'delegates to another contract',
    'a delegation',
    delegate({ contractAddress: '0x00000000000000000000000000000000000bad01' }),
  ],
  [
    'delegates another address',
    'a delegation',
    delegate({ address: '0x00000000000000000000000000000000000bad01' }),
  ],
])('a quote that %s is not signed, though the service signed it', async (_, reason, lie) => {
  const refusal = await askLiar(lie).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: -32603, cause: { message: expect.stringContaining(reason) } })
  expect(wallet.sent.filter((path) => path.endsWith('/submit'))).toEqual([])
})

test('the same quote is signed when nothing in it was changed, unless its fee is more than the wallet accepts', async () => {
  const dear = await askLiar((quote) => quote, 1n).catch((error: unknown) => error)
  expect(dear).toMatchObject({
    code: -32603,
    cause: { message: expect.stringContaining('at most 1 is accepted') },
  })
  expect(await askLiar((quote) => quote)).toMatchObject({ id: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect(wallet.sent.filter((path) => path.endsWith('/submit'))).toHaveLength(1)
})

test('an address that the service shows is refused unless the wallet has its key', async () => {
  const { client } = wallet
  const ask = (async () => ({ address: somebody(), nonce: 3 })) as unknown as Client['ask']
  const deceived = wallet.createProvider(ORIGIN, undefined, { client: { ...client, ask } })
  await expect(deceived.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: -32603 })
  expect(await deceived.request({ method: 'eth_accounts' })).toEqual([])
})

test('a receipt has the logs of the app’s own calls, and none of others in the same transaction', async () => {
  const source = `contract Shared {
    event Logged(uint256 number);
    event IntentExecuted(address indexed eoa, uint256 indexed nonce, bool incremented, bytes4 err);
    function execute(address[] calldata eoas) external {
      for (uint256 place; place < eoas.length; place++) {
        emit Logged(2 * place);
        emit Logged(2 * place + 1);
        emit IntentExecuted(eoas[place], place, true, 0);
      }
      emit Logged(99);
    }
  }`
  const { Shared } = compileSolidity({ 'input.sol': source }, { evmVersion: 'cancun' })
  const { sender, reader } = payer.wallet
  const deployed = await sender.deployContract({ ...Shared!, args: [] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash: deployed })
  const eoas = [somebody(), somebody(), somebody()] as const
  const hash = await sender.writeContract({
    address: contractAddress!,
    abi: Shared!.abi,
    functionName: 'execute',
    args: [eoas],
  })
  await reader.waitForTransactionReceipt({ hash })
  const chain = { rpcUrl: payer.chain.rpcUrl, orchestrator: contractAddress! }
  const numbersOf = async (eoa: Address) =>
    (await readBatchReceipt(chain, hash, eoa))?.logs.map(({ data }) => Number(data))
  expect(await Promise.all([...eoas, somebody()].map(numbersOf))).toEqual([[0, 1], [2, 3], [4, 5], []])
  expect(await readBatchReceipt(chain, `0x${'00'.repeat(32)}`, eoas[0])).toBe(null)
})

test('the provider runs from the command line with the keys of the account, and sends a batch', async () => {
  const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
  const script = 'test/e2e/examples/app-provider.ts'
  const env = { SPEND_KEY: keys.spendKey, VIEW_KEY: keys.viewKey }
  const { rpcUrl, intents } = payer.chain
  const args = [service.url, rpcUrl, intents.orchestrator, intents.accountProxy, ORIGIN]
  const connected = await runCli(script, args, env)
  expect(connected.code, connected.stderr).toBe(0)
  const shown = /knows (0x[0-9a-fA-F]{40})\n$/.exec(connected.stdout)?.[1] as Address
  await payer.payNative(shown, parseEther('1'))
  await waitUntilIndexed(service, payer)
  const friends = [somebody(), somebody()]
  const { code, stdout, stderr } = await runCli(script, [...args, '12', ...friends], env)
  expect(code, stderr).toBe(0)
  expect(stdout).toContain(`${ORIGIN} knows ${shown}\n${ORIGIN} asks for: calls\n`)
  expect(stdout).toMatch(/status 200\n$/)
  const { reader } = payer.wallet
  expect(await Promise.all(friends.map((friend) => reader.getBalance({ address: friend })))).toEqual([
    12n,
    12n,
  ])
  const lost = await runCli(script, [service.url], {})
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('Usage')])
})
