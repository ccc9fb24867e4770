import { parseEther, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDescription } from '../../../devnet/devnet-description.ts'
import { swapPreview } from '../../../../schema/transact/swap-preview.ts'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openWalletSender, type WalletSender } from '../submissions/open-wallet-sender.ts'
import { startSendingService } from '../quotes/start-sending-service.ts'

const ONE = parseEther('1')

let service: TestService
let payer: Payer
let wrapped: Address
let alice: WalletSender

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  wrapped = service.parts.chains[0]!.wrappedNative!
  alice = await openWalletSender(service, payer)
})
afterAll(() => service?.stop())

const wrapOf = (amountIn: bigint) => ({
  chainId: payer.chain.chainId,
  tokenIn: zeroAddress,
  tokenOut: wrapped,
  amountIn: String(amountIn),
})

async function preview(body: object) {
  const answer = await alice.post('/swap-preview', body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  swapPreview.parse(answer.body)
  return answer.body as Record<string, unknown>
}

/** The account's addresses and its locked funds. */
async function inventory() {
  const { body: addresses } = await alice.get('/addresses')
  const { body: balance } = await alice.get('/balance')
  const { balances } = balance as { balances: { token: Address; visible: object }[] }
  return { addresses, held: balances.map(({ token, visible }) => ({ token, visible })) }
}

it('without funds a preview is the rate only, and says the fee once such a swap was measured', async () => {
  expect(await preview(wrapOf(ONE))).toMatchObject({
    rateOnly: true,
    feeEstimate: null,
    expectedOutput: String(ONE),
    protocolFeeAmount: String(ONE / 500n),
  })
  await alice.receiveAll(zeroAddress, [2n * ONE])
  expect(await preview(wrapOf(ONE))).toMatchObject({ rateOnly: false, feeEstimate: expect.any(String) })
  const short = await preview(wrapOf(5n * ONE))
  expect(short).toMatchObject({ rateOnly: true, expectedOutput: String(5n * ONE) })
  // The service fee, and gas.
  expect(BigInt(short['feeEstimate'] as string)).toBeGreaterThan(ONE / 100n)
})

it('a preview agrees with the quote, and leaves no trace', async () => {
  const before = await inventory()
  const told = await preview(wrapOf(ONE))
  expect(await inventory()).toEqual(before)
  expect(Object.keys(told).toSorted()).toEqual(Object.keys(swapPreview.shape).toSorted())
  const quote = await alice.quote({ type: 'swap', ...wrapOf(ONE) })
  for (const member of [
    'expectedOutput',
    'minimumOutput',
    'outputToken',
    'outputDecimals',
    'outputSymbol',
    'routing',
    'slippageMode',
    'slippageBps',
    'requestedSlippageBps',
    'estimatedFillTimeMs',
    'protocolFeeBps',
    'protocolFeeAmount',
    'priceImpact',
  ])
    expect(told[member], member).toEqual(quote[member as keyof typeof quote])
  expect(told).toMatchObject({ rateOnly: false, feeEstimate: quote.fees.total, routing: 'WRAP' })
  // The quote has locked the funds, so another preview finds none.
  expect(await preview(wrapOf(ONE))).toMatchObject({ rateOnly: true })
  await alice.post('/unlock', { quoteId: quote.quoteId })
  const [other] = await alice.receiveAll(zeroAddress, [0n])
  expect(await preview({ ...wrapOf(ONE), spendableAddresses: [other] })).toMatchObject({ rateOnly: true })
})

it('a preview is answered by GraphQL below the account as by REST', async () => {
  const answer = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.client.token}` },
    body: JSON.stringify({
      query: `query ($accountId: UUID!, $body: SwapPreviewRequestInput!) {
        swapPreview(accountId: $accountId, input: $body) { expectedOutput routing rateOnly feeEstimate }
      }`,
      variables: { accountId: alice.client.accountId, body: wrapOf(1_000n) },
    }),
  })
  expect(await answer.json()).toMatchObject({
    data: { swapPreview: { expectedOutput: '1000', routing: 'WRAP', rateOnly: false } },
  })
})

it('a preview through pools agrees with the quote, and gives any price impact, which the quote refuses', async () => {
  const [chain] = (await readDescription(service.dataDir)).chains
  const taxed = chain!.taxedToken.address
  const ofCoins = (tokenOut: Address, amountIn: bigint) => ({ ...wrapOf(amountIn), tokenOut })
  const asked = ofCoins(chain!.tokens[0]!.address, ONE / 10n)
  const told = await preview(asked)
  const quote = await alice.quote({ type: 'swap', ...asked })
  expect(told).toMatchObject({ routing: 'CLASSIC', slippageMode: 'auto', rateOnly: false })
  for (const member of ['expectedOutput', 'minimumOutput', 'slippageBps', 'priceImpact'])
    expect(told[member], member).toEqual(quote[member as keyof typeof quote])
  await alice.post('/unlock', { quoteId: quote.quoteId })

  const whale = ofCoins(taxed, 40n * ONE)
  const { priceImpact } = await preview(whale)
  expect(priceImpact).toBeGreaterThan(15)
  expect(await alice.post('/quote', { type: 'swap', ...whale })).toMatchObject({
    status: 400,
    body: { code: 'PRICE_IMPACT_TOO_HIGH' },
  })
  // The token takes 3 percent of each transfer, which only a run shows.
  const tight = { ...ofCoins(taxed, ONE / 100n), slippageMode: 'custom', slippageBps: 100 }
  const refused = { status: 400, body: { code: 'SLIPPAGE_TOO_LOW', requestedSlippageBps: 100 } }
  expect(await alice.post('/swap-preview', tight)).toMatchObject(refused)
  expect(await alice.post('/quote', { type: 'swap', ...tight })).toMatchObject(refused)
})

it('a preview of an impossible swap is refused as its quote is', async () => {
  const dollar = payer.chain.tokens[0]!.address
  const refused = async (changes: object) => {
    const asked = { ...wrapOf(1_000n), ...changes }
    const [told, quoted] = [
      await alice.post('/swap-preview', asked),
      await alice.post('/quote', { type: 'swap', ...asked }),
    ]
    const codeOf = ({ status, body }: typeof told) => ({ status, code: (body as { code: string }).code })
    expect(codeOf(told), JSON.stringify(changes)).toEqual(codeOf(quoted))
    return codeOf(told)
  }
  expect(await refused({ tokenOutChainId: 4_711 })).toEqual({ status: 502, code: 'SWAP_UNAVAILABLE' })
  expect(await refused({ tokenOut: zeroAddress })).toEqual({ status: 400, code: 'SAME_TOKEN' })
  expect(await refused({ chainId: 4_711 })).toEqual({ status: 400, code: 'CHAIN_NOT_SUPPORTED' })
  for (const changes of [
    { amountIn: '0' },
    { amountIn: '-1' },
    { amountIn: '1.5' },
    { tokenIn: undefined },
    { tokenOut: dollar.slice(0, 20) },
    { slippageMode: 'custom' },
    { slippageMode: 'much', slippageBps: 5 },
    { slippageBps: 10_001 },
    { spendableAddresses: [] },
  ])
    expect(await refused(changes), JSON.stringify(changes)).toEqual({ status: 400, code: 'BAD_REQUEST' })
  const stranger = await openWalletSender(service, payer)
  const foreign = await alice.client
    .ask('POST', `/v1/accounts/${stranger.client.accountId}/swap-preview`, wrapOf(1n))
    .catch((error: Error) => error.message)
  expect(foreign).toMatch(/: 40[34] /)
})
