import {
  decodeFunctionData,
  encodeFunctionData,
  keccak256,
  parseUnits,
  stringToHex,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peerEscrowAbi, type CreateDepositParams } from '../../relayer/chain/contracts/peer-escrow.ts'
import type { Call } from '../../relayer/transact/intents/intent.ts'
import { replaced, withCalls } from '../harness/change-quote.ts'
import { waitUntilIndexed } from '../harness/chain-actors.ts'
import { startLyingGateway, type LyingGateway } from '../harness/start-lying-gateway.ts'
import { depositOf, messageOf, readMessage, withDeposit } from '../harness/change-deposit.ts'
import { askedOf } from '../relayer/transact/kinds/offramp/ask-cash-out.ts'
import { startCashWorld, type CashWorld } from '../relayer/transact/kinds/offramp/start-cash-world.ts'
import { cashOut, type CashOutOptions, type CashOutQuote } from '../../schema/client/quotes/cash-out.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import type { SwapQuote } from '../../schema/client/quotes/swap.ts'
import { knownOf } from './examples/demo/known-of.ts'

let world: CashWorld
let liar: LyingGateway
let client: Client
let here: CashOutOptions
let there: CashOutOptions
const usd = (amount: string) => parseUnits(amount, 6)
const thief: Address = privateKeyToAddress(generatePrivateKey())

beforeAll(async () => {
  world = await startCashWorld()
  liar = await startLyingGateway(world.service.url)
  client = await openNewClient({ url: liar.url, chains: [knownOf(world.origin.payer.chain)] })
  here = askedOf(world, usd('20'), { payee: 'honest-handle' })
  there = askedOf(world, usd('20'), { payee: 'honest-handle', isCrossing: true })
  const { payer, dollar } = world.origin
  for (let n = 0; n < 2; n += 1) await payer.payToken(dollar, (await client.receive()).address, usd('5000'))
  await waitUntilIndexed(world.service, payer)
})
afterAll(async () => {
  await liar?.stop()
  await world?.[Symbol.asyncDispose]()
})

type Lie = (quote: CashOutQuote) => object

/** Each lie of the gateway makes its client refuse, with these words, and nothing is ever submitted. */
async function expectRefusals(asked: CashOutOptions, lies: Record<string, [string, Lie]>): Promise<void> {
  const submitted = liar.believed()
  for (const [what, [words, lie]] of Object.entries(lies)) {
    liar.tell(lie)
    await expect(cashOut(client, asked), what).rejects.toThrow(words)
  }
  liar.tell(null)
  expect(liar.believed()).toBe(submitted)
}

/** The call of the escrow with other arguments. */
function changeSale(call: Call, change: (params: CreateDepositParams) => object, depositor?: Address): Call {
  const decoded = decodeFunctionData({ abi: peerEscrowAbi, data: call.data })
  const { functionName, args } = decoded
  if (functionName !== 'createDeposit' && functionName !== 'depositTo') throw new Error('no sale')
  const params = functionName === 'createDeposit' ? args[0] : args[1]
  const changed = { ...params, ...change(params) }
  const data =
    functionName === 'createDeposit'
      ? encodeFunctionData({ abi: peerEscrowAbi, functionName, args: [changed] })
      : encodeFunctionData({ abi: peerEscrowAbi, functionName, args: [depositor ?? args[0], changed] })
  return { ...call, data }
}
const selling =
  (change: (params: CreateDepositParams) => object): Lie =>
  (quote) =>
    withCalls(quote as unknown as SwapQuote, (calls) =>
      replaced(calls, 1, (call) => changeSale(call, change)),
    )
const priced = (change: object, feed: object = {}) =>
  selling(({ currencies }) => {
    const price = currencies[0]?.[0]
    return {
      currencies: [[{ ...price, ...change, oracleRateConfig: { ...price?.oracleRateConfig, ...feed } }]],
    }
  })
const paying = (change: object) =>
  selling(({ paymentMethodData: [data] }) => ({ paymentMethodData: [{ ...data, ...change }] }))
const hashOf = (name: string) => keccak256(stringToHex(name))

test('honest quotes are signed, on the escrow’s chain and from another', async () => {
  for (const asked of [here, there]) {
    const { quote } = await cashOut(client, asked)
    expect(quote.estimatedFiatAmount).toMatch(/^\d+\.\d\d USD$/)
    await waitUntilIndexed(world.service, world.origin.payer)
  }
})

test('the example client refuses a sale in which a single member lies', async () => {
  const otherHash = hashOf('somebody else')
  await expectRefusals(here, {
    'another payee in the calls': ['pay another than the quote says', paying({ payeeDetails: otherHash })],
    'another payee in calls and quote': [
      'buyers would pay somebody else',
      (quote) => ({ ...paying({ payeeDetails: otherHash })(quote), payeeDetails: otherHash }),
    ],
    'another who permits buyers': ['who may buy', paying({ intentGatingService: thief })],
    'data for the method': ['who may buy', paying({ data: '0x01' })],
    'a delegate': ['could manage the deposit', selling(() => ({ delegate: thief }))],
    'a guardian': ['could manage the deposit', selling(() => ({ intentGuardian: thief }))],
    'a deposit that stays open': ['could manage the deposit', selling(() => ({ retainOnEmpty: true }))],
    'a lower rate': ['pay less than was asked for', priced({ minConversionRate: 0n })],
    'another feed': ['come from somewhere else', priced({}, { adapter: thief })],
    'a spread': ['come from somewhere else', priced({}, { spreadBps: -2_000 })],
    'another currency': ['in another currency', priced({ code: hashOf('EUR') })],
    'another method': ['another method', selling(() => ({ paymentMethods: [hashOf('paypal')] }))],
    'less in the escrow': ['approvals', selling(() => ({ amount: usd('19') }))],
    'another token': ['another token', selling(() => ({ token: thief }))],
    'a part that nobody can buy': [
      'buy all of it',
      selling(({ intentAmountRange }) => ({ intentAmountRange: { ...intentAmountRange, max: 1_000_000n } })),
    ],
    'another escrow': [
      'nothing into the escrow',
      (quote) =>
        withCalls(quote as unknown as SwapQuote, (calls) =>
          replaced(calls, 1, (call) => ({ ...call, to: thief })),
        ),
    ],
    'one more call': [
      'the review lists other calls',
      (quote) => withCalls(quote as unknown as SwapQuote, (calls) => [calls[0]!, ...calls]),
    ],
    'another fee': ['cost something else', (quote) => ({ ...quote, fees: { ...quote.fees, total: '1' } })],
    'an output elsewhere': ['another contract', (quote) => ({ ...quote, outputRecipient: thief })],
  })
})

test('the example client refuses a deposit with a bridge whose message lies', async () => {
  type Message = ReturnType<typeof readMessage>
  const telling =
    (change: (message: Message) => Message): Lie =>
    (quote) => {
      const swap = quote as unknown as SwapQuote
      const { calls, fallbackRecipient } = change(readMessage(depositOf(swap, 1)[11] as Hex))
      return withDeposit(swap, 1, { 11: messageOf(calls, fallbackRecipient) }, null)
    }
  const opening = (change: (params: CreateDepositParams) => object, depositor?: Address) =>
    telling((message) => ({
      ...message,
      calls: replaced(message.calls, 1, (call) => changeSale(call, change, depositor)),
    }))
  await expectRefusals(there, {
    'another depositor': ['hold it for somebody else', opening(() => ({}), thief)],
    'another payee': [
      'pay another than the quote says',
      opening(({ paymentMethodData: [data] }) => ({
        paymentMethodData: [{ ...data, payeeDetails: hashOf('somebody else') }],
      })),
    ],
    'another amount': ['approvals', opening(() => ({ amount: usd('1') }))],
    'another who gets what the escrow refuses': [
      'somebody else would get what arrives',
      telling((message) => ({ ...message, fallbackRecipient: thief })),
    ],
    'no refund': ['a refund would go', (quote) => ({ ...quote, recoveryRecipient: thief })],
  })
})
