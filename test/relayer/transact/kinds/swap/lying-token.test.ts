import { parseEther, parseUnits, type Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { relayStatus } from '../../../../../schema/transact/submit-model.ts'
import { quote as quoteShape } from '../../../../../schema/transact/quote-model.ts'
import { openPayer, type Payer } from '../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

const { LyingToken } = compileSolidity(new URL('./LyingToken.sol', import.meta.url))
/** Numbers of the contract's enum. */
const LIES = [
  'nothing',
  'tells twice what it moves',
  'moves without a word',
  'tells and counts twice what is received',
  'keeps half of it where gas is paid for',
  'takes twice what it tells',
  'takes twice what is allowed',
  'lets somebody take the rest',
] as const
type Lie = (typeof LIES)[number]

let service: TestService
let payer: Payer
let alice: WalletSender
let dollar: Address
let euro: Address

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
  euro = payer.chain.tokens[1]!.address
  alice = await openWalletSender(service, payer)
  await alice.receiveAll(dollar, [parseUnits('1000', 6)])
  await alice.receiveAll(euro, [parseEther('1000')])
  const { reader, sender } = payer.wallet
  const hash = await sender.deployContract({ ...LyingToken!, args: [] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  const code = await reader.getCode({ address: contractAddress! })
  await reader.request({ method: 'anvil_setCode', params: [euro, code] } as never)
})
afterEach(() => lie('nothing'))
afterAll(() => service?.stop())

async function lie(how: Lie): Promise<void> {
  const { reader, sender } = payer.wallet
  const abi = LyingToken!.abi
  const args = [LIES.indexOf(how)]
  const hash = await sender.writeContract({ address: euro, abi, functionName: 'tell', args })
  await reader.waitForTransactionReceipt({ hash })
}
const ask = (body: Record<string, unknown>) =>
  alice.post('/quote', { type: 'swap', chainId: payer.chain.chainId, ...body })
const buy = () => ask({ tokenIn: dollar, tokenOut: euro, amountIn: String(parseUnits('10', 6)) })
const sell = () => ask({ tokenIn: euro, tokenOut: dollar, amountIn: String(parseEther('10')) })
const GONE = 'The movements of the swap cannot be determined now. Try again later.'

it('a token that does not lie is bought as the quote says', async () => {
  const { body } = await buy()
  const quote = quoteShape.parse(body)
  const submitted = await alice.post('/submit', await alice.sign(body))
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 200 })
  await expect
    .poll(async () => relayStatus.parse((await alice.get(`/relay-status/${quote.quoteId}`)).body).status)
    .toBe('confirmed')
  const received = await payer.wallet.reader.readContract({
    address: euro,
    abi: LyingToken!.abi,
    functionName: 'balanceOf',
    args: [quote.outputRecipient],
  })
  expect(received).toBe(BigInt(quote.expectedOutput))
})

it.each<[Lie, number, string]>([
  ['tells twice what it moves', 503, GONE],
  ['moves without a word', 400, 'The swap would give nothing'],
  [
    'tells and counts twice what is received',
    400,
    'The chain would refuse this transfer: reverted with "Too little received"',
  ],
])('no quote promises what a token that %s would not deliver', async (how, status, message) => {
  await lie(how)
  expect(await buy()).toMatchObject({ status, body: { message } })
})

it.each<[Lie, number, string]>([
  ['tells twice what it moves', 503, GONE],
  ['takes twice what it tells', 503, GONE],
  ['takes twice what is allowed', 400, 'The token would charge more than the sent amount'],
  ['lets somebody take the rest', 400, 'The swap would leave an approval behind'],
])('no quote asks for a signature for a token that %s', async (how, status, message) => {
  await lie(how)
  expect(await sell()).toMatchObject({ status, body: { message } })
})

it('submission detects a token that takes a part of itself where gas is paid for', async () => {
  await lie('keeps half of it where gas is paid for')
  const { body } = await buy()
  expect(await alice.post('/submit', await alice.sign(body))).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_REFRESH_REQUIRED' },
  })
})

it.each<Lie>(['tells twice what it moves', 'takes twice what it tells'])(
  'submission detects a token that %s only once its quote was signed',
  async (how) => {
    const { body } = await sell()
    const signed = await alice.sign(body)
    await lie(how)
    const { status } = await alice.post('/submit', signed)
    expect(status).toBe(503)
    await lie('nothing')
    expect(await alice.post('/unlock', { quoteId: (body as { quoteId: string }).quoteId })).toMatchObject({
      status: 200,
    })
  },
)
