import { parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CLIENT_NAME } from '../devnet/deploy/devnet-names.ts'
import { call } from '../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { OWN_LIMITS } from '../relayer/account/open-account.ts'
import { openSender, type Sender } from '../relayer/transact/quotes/open-sender.ts'

// The devnet as wallet developers meet it by `npm start`, except the number of chains and their ports.
let service: TestService
let payer: Payer
let sender: Sender
let dollar: Address
let held: Address

interface Balance {
  token: Address
  logoUrl: string | null
  pricePerToken: string | number | null
  priceStale: boolean
}

const PICTURE = /^data:image\/png;base64,/

beforeAll(async () => {
  service = await startTestService({
    devnet: { ports: [0, 0], chainIds: [31_337], aspDelaySeconds: 0, cash: true, market: true },
    ...OWN_LIMITS,
    feeWaivers: { waiverDays: 0 },
  })
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
  sender = await openSender(service, payer)
  held = await sender.receive(dollar, parseUnits('500', 6))
  await payer.payNative(held, parseEther('1'))
  await payer.payToken(payer.chain.strictToken.address, held, parseUnits('7', 6))
  await waitUntilIndexed(service, payer)
})
afterAll(() => service?.stop())

async function listBalances(): Promise<Balance[]> {
  const { body } = await sender.get(`/address-balances?address=${held}&chainId=31337`)
  return (body as { addresses: { balances: Balance[] }[] }).addresses[0]?.balances ?? []
}
const balanceOf = async (token: Address) => (await listBalances()).find((balance) => balance.token === token)

it('prices of the devnet move, pictures are there, and one price is stale', async () => {
  const { strictToken } = payer.chain
  // The first rounds run beside the start of the service. More looks would meet the account's limit.
  await expect
    .poll(() => balanceOf(strictToken.address), { timeout: 60_000, interval: 1_000 })
    .toMatchObject({ priceStale: true })
  const [coin, dollars] = [await balanceOf(zeroAddress), await balanceOf(dollar)]
  for (const balance of [coin, dollars]) {
    expect(balance?.logoUrl).toMatch(PICTURE)
    expect(balance?.priceStale).toBe(false)
  }
  const price = Number(coin?.pricePerToken)
  expect(price).not.toBe(3_000)
  expect(Math.abs(price / 3_000 - 1)).toBeLessThanOrEqual(0.005)
})

it('popular tokens of the devnet have changes of six hours and of a day', async () => {
  const read = async () => {
    const { json } = await call(`${service.url}/v1/tokens/popular?chainId=31337`)
    return json as { source: string; tokens: { symbol: string; change6h?: object; change24h?: object }[] }
  }
  await expect.poll(async () => (await read()).source, { timeout: 60_000 }).toBe('trending')
  const change = { percentage: expect.any(Number) as unknown, observedAt: expect.any(String) as unknown }
  const { tokens } = await read()
  for (const symbol of ['ETH', 'TUSD', 'TEUR'])
    expect(tokens.find((token) => token.symbol === symbol)).toMatchObject({
      change6h: change,
      change24h: change,
    })
})

it('links of the devnet lead to pages: the explorer of an activity, and the policy of the ASP', async () => {
  const { json: chains } = await call(`${service.url}/v1/supported-chains`)
  expect((chains as unknown as { explorerUrl: string }[])[0]?.explorerUrl).toMatch(/^http:\/\/127\.0\.0\.1:/)
  const { body } = await sender.get('/activities')
  const [newest] = (body as unknown as { activity: { explorerTxUrlBase: string; txHashes: string[] }[] })
    .activity
  const hash = newest?.txHashes[0]
  const page = await fetch(`${newest?.explorerTxUrlBase}${hash}`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(String(hash))])
  const { json: pools } = await call(`${service.url}/v1/supported-pools`, { headers: sender.headers })
  for (const { logoUrl, asp } of pools as unknown as { logoUrl: string; asp: { policyUrl: string } }[]) {
    expect(logoUrl).toMatch(PICTURE)
    expect((await fetch(asp.policyUrl)).status).toBe(200)
  }
})

it('a collectible and a name of the devnet have pictures', async () => {
  const avatar = await sender.get(`/destination-avatar?destinationAddress=${CLIENT_NAME}`)
  expect(avatar).toMatchObject({
    status: 200,
    body: { avatarUrl: expect.stringMatching(PICTURE) as unknown },
  })
  const { body } = await sender.post<{ address: Address }>('/payment-address')
  await payer.mintCollectible(payer.chain.collectible, body.address, 77n)
  await waitUntilIndexed(service, payer)
  expect((await sender.post('/collectible/verify')).body).toMatchObject({
    active: true,
    deposits: [{ tokenId: '77', imageUrl: expect.stringMatching(PICTURE) as unknown }],
  })
})

it('a quote that leaves less at an address than spending it costs reports it as dust', async () => {
  const alice = await openSender(service, payer)
  const amount = parseUnits('500', 6)
  await alice.receive(dollar, amount)
  const request = { token: dollar, destinationAddress: payer.chain.accounts[3]!.address }
  const { body: whole } = await alice.quote({ ...request, amount: String(parseUnits('100', 6)) })
  await alice.post('/unlock', { quoteId: whole.quoteId })
  const { network, service: serviceFee } = whole.fees
  // Half of the payment's own cost stays at the address; the service fee is a share of the amount.
  const fees = BigInt(network) + (BigInt(serviceFee) * amount) / parseUnits('100', 6)
  const left = BigInt(network) / 2n
  const { status, body } = await alice.quote({ ...request, amount: String(amount - fees - left) })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(BigInt(body.fees.dust)).toBeGreaterThan(0n)
  expect(BigInt(body.fees.dust)).toBe(amount - BigInt(body.amountIn))
})
