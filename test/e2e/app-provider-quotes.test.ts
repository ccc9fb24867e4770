import { encodeAbiParameters, numberToHex, parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compileSolidity } from '../harness/compile-solidity.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { reviewAnew } from '../harness/review-anew.ts'
import { createQuoteForger } from '../harness/create-quote-forger.ts'
import { openAppWallet, type AppWallet } from '../harness/open-app-wallet.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { decodeCalls } from '../../schema/client/chain/decode-call.ts'
import type { Client } from '../../schema/client/account/open-client.ts'
import { readBatchReceipt } from '../../schema/client/provider/read-app-chain.ts'
import type { Call } from '../../schema/client/chain/read-canonical-calls.ts'
import type { Intent, Quote } from '../../schema/client/quotes/send.ts'

const ORIGIN = 'https://app.example'

let service: TestService
let payer: Payer
let token: Address
let wallet: AppWallet
let address: Address

const somebody = () => privateKeyToAddress(generatePrivateKey())
beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 6)
  token = payer.chain.tokens[0]!.address
  wallet = await openAppWallet(service, payer)
  const provider = wallet.createProvider(ORIGIN)
  ;[address] = (await provider.request({ method: 'eth_requestAccounts' })) as [Address]
  await payer.payNative(address, parseEther('1'))
  await waitUntilIndexed(service, payer)
})
beforeEach(() => {
  wallet.asked.length = wallet.sent.length = 0
})
afterAll(() => service?.stop())

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
  const chainId = numberToHex(payer.chain.chainId)
  const batch = { version: '2.0.0', from: address, chainId, atomicRequired: true, calls }
  return deceived.request({ method: 'wallet_sendCalls', params: [batch] })
}

const changeIntent = (change: (intent: Intent) => Partial<Intent>) => (quote: Quote) => ({
  ...quote,
  intents: quote.intents.map((intent) => ({ ...intent, ...change(intent) })),
})
const changeCalls = (change: (calls: [Call, Call, Call]) => Call[]) => (quote: Quote) =>
  reviewAnew(
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
    }))(quote),
  )
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
    'cost something else',
    changeCalls(([one, two, fee]) => [one, two, { ...fee, value: fee.value + 1n }]),
  ],
  [
    'takes a high fee',
    'at most',
    changeCalls(([one, two, fee]) => [one, two, { ...fee, value: parseEther('0.02') }]),
  ],
  ['acts as another address', 'not an address of the account', changeIntent(() => ({ eoa: somebody() }))],
  [
    'has two intents',
    'two orders to one address',
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
  await expect(deceived.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('is not an address of the account') },
  })
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
