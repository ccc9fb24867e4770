import { formatUnits, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import { dayBefore } from '../../relayer/transact/usage/usage.ts'
import { call } from '../harness/call.ts'
import { openPayer, type Payer } from '../harness/chain-actors.ts'
import { post, relayBody, untilFinal } from '../harness/relay-requests.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { followCommand } from '../gateway/admin/follow-command.ts'
import { OWN_LIMITS } from '../relayer/account/open-account.ts'
import { openWalletSender, type WalletSender } from '../relayer/transact/submissions/open-wallet-sender.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'

type Line = Readonly<Record<string, unknown>>

let output = ''
let service: TestService
let payer: Payer
let sender: WalletSender
let addresses: Address[]
beforeAll(async () => {
  service = await startTestService(
    {
      devnet: { ports: [0, 0], asp: false, chainIds: [31_337] },
      ...OWN_LIMITS,
      logLevel: 'info',
      feeWaivers: { waiverDays: 0 },
    },
    { hasVectorDeposits: true, log: { write: (line) => void (output += line) } },
  )
  payer = await openPayer(service, 9)
  sender = await openWalletSender(service, payer)
  addresses = await sender.receiveAll(zeroAddress, [10n ** 18n, 10n ** 18n])
})
afterAll(() => service?.stop())

const lines = (): Line[] =>
  output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
/** The one line with this message that meets the condition; it may come a moment after the answer. */
async function findLine(message: string, fits: (line: Line) => boolean): Promise<Line> {
  const find = () => lines().filter((line) => line['msg'] === message && fits(line))
  await expect.poll(() => find().length, { message }).toBe(1)
  return find()[0]!
}

/** The hash at which the trail of a transaction in the log ends. */
async function followTransaction({ outboundId }: Line): Promise<unknown> {
  const isOf = (line: Line) => line['outboundId'] === outboundId
  const offered = await findLine('a node accepted a transaction', isOf)
  const ended = await findLine('a transaction has ended', isOf)
  expect(ended).toMatchObject({ status: 'confirmed', hash: offered['hash'] })
  return ended['hash']
}

it('the log leads from the quote of a send to its transaction', async () => {
  const quote = await sender.quote({
    token: zeroAddress,
    amount: String(15n * 10n ** 17n),
    destinationAddress: privateKeyToAddress(generatePrivateKey()),
  })
  expect(quote.intents).toHaveLength(2)
  const { quoteId } = quote
  expect((await sender.post('/submit', await sender.sign(quote))).status).toBe(200)
  const status = async () => (await sender.get(`/relay-status/${quoteId}`)).body
  await expect.poll(status).toMatchObject({ status: 'confirmed' })
  await findLine('a quote is submitted', (line) => line['quoteId'] === quoteId)
  const batch = await findLine('intents are on their way in one transaction', (line) =>
    (line['quoteIds'] as string[]).includes(quoteId),
  )
  expect(await status()).toMatchObject({ confirmedTxHash: await followTransaction(batch) })
})

it('the log leads from a relay request to its transaction', async () => {
  const { body } = await post(service.url, '/relayer/request', await relayBody(loadRelayVectors().relays[0]!))
  const { requestId } = body
  const end = await untilFinal(service.url, String(requestId))
  const relay = await findLine('a relay is on its way', (line) => line['requestId'] === requestId)
  expect(await followTransaction(relay)).toBe(end['txHash'])
})

it('no line of the log names an address of the account', () => {
  const named = addresses.filter((address) => output.toLowerCase().includes(address.toLowerCase()))
  expect(named).toEqual([])
  expect(output).not.toContain(sender.client.accountId)
})

it('profit by day is what the books of relays and sends say, on the status, as a metric and on the command line', async () => {
  interface Row {
    day: string
    duty: string
    token: Address
    fees: string
    gasSpent: string
    usd: string
  }
  const read = async () =>
    (await call(`${service.operatorUrl}/status.json`)).json as unknown as {
      profit: Row[]
      ledger: { feeReceived: string; gasSpent: string; topUpSpent: string }[]
      sendLedger: { networkFee: string; serviceFee: string; gasSpent: string }[]
    }
  // The figures are read at intervals.
  await expect
    .poll(async () => (await read()).profit.map(({ duty }) => duty).toSorted())
    .toEqual(['relays', 'sends'])
  const { profit, ledger, sendLedger } = await read()
  const [relay, send] = [ledger[0]!, sendLedger[0]!]
  const ofDuty = (duty: string) => profit.find((row) => row.duty === duty)!
  expect(ofDuty('relays')).toMatchObject({
    token: NATIVE_ASSET,
    fees: relay.feeReceived,
    gasSpent: String(BigInt(relay.gasSpent) + BigInt(relay.topUpSpent)),
  })
  expect(ofDuty('sends')).toMatchObject({
    token: zeroAddress,
    fees: String(BigInt(send.networkFee) + BigInt(send.serviceFee)),
    gasSpent: send.gasSpent,
  })
  const { day } = ofDuty('sends')
  expect([dayBefore(0), dayBefore(1)]).toContain(day)
  // Both are in coins of one price, so dollars are in proportion.
  const [first, second] = profit.map(
    ({ fees, gasSpent, usd }) => [BigInt(fees) - BigInt(gasSpent), BigInt(usd)] as const,
  )
  expect(first![0] * second![1] - second![0] * first![1]).toBe(0n)
  expect((await call(`${service.operatorUrl}/metrics`)).text).toMatch(
    /^profit_today_usd\{.*duty="relays"\} /m,
  )

  const run = (args: readonly string[]) => followCommand(['profit', ...args], service.database.pool, {})
  const { printed } = await run(['--csv', 'yes', '--from', day])
  expect(printed[0]).toBe('day,chain,token,symbol,for,number,fees,gas,gas unpaid,coin,dollars')
  const cells = printed.slice(1).map((line) => line.split(','))
  const shown = cells.map(([on, , token, , duty, number, fees]) => [on, token, duty, number, fees].join(' '))
  const booked = profit.map((row) =>
    [row.day, row.token, row.duty, '1', formatUnits(BigInt(row.fees), 18)].join(' '),
  )
  expect(shown.toSorted()).toEqual(booked.toSorted())
  expect((await run(['--to', '2020-01-01', '--from', '2019-12-31'])).printed).toEqual([
    printed[0]!.replaceAll(',', '\t'),
    '0.00 dollars in all',
  ])
  expect((await run(['--from', '2026-02-30'])).refusal).toMatchObject({
    message: expect.stringContaining('--from'),
  })
})
