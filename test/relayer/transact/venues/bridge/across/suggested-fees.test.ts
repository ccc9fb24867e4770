import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readSuggestedFees } from '../../../../../../relayer/transact/venues/bridge/across/suggested-fees.ts'
import { sampleDeposit } from './sample-deposit.ts'
import { honestAnswer, startFeesServer, type FeesAnswer, type FeesServer } from './start-fees-server.ts'

let server: FeesServer
beforeAll(async () => {
  server = await startFeesServer()
})
beforeEach(() => {
  server.asked.length = 0
})
afterAll(() => server?.stop())

const { originChainId, destinationChainId, inputToken, outputToken } = sampleDeposit
const pair = { originChainId, destinationChainId, inputToken, outputToken }
const ask = (amount = 100_000_000n, timeoutMs = 30_000) =>
  readSuggestedFees({ url: server.url, timeoutMs }, { ...pair, amount, message: null })
const answering = (answer: FeesAnswer) => {
  server.answer = () => answer
}
const ok = (body: unknown) => answering({ status: 200, body: JSON.stringify(body) })

it('the fees service receives the pair and the amount and nothing else', async () => {
  ok(honestAnswer)
  expect(await ask()).toEqual({ fee: 100_000n, timestamp: 1_790_000_000, fillSeconds: 4 })
  expect(server.asked).toHaveLength(1)
  expect(Object.fromEntries(server.asked[0]!.target.searchParams)).toEqual({
    inputToken,
    outputToken,
    originChainId: '31337',
    destinationChainId: '31338',
    amount: '100000000',
  })
})

it('amounts beyond the limits are refused with the limit', async () => {
  ok(honestAnswer)
  await expect(ask(999n)).rejects.toMatchObject({ code: 'AMOUNT_TOO_LOW', details: { minimum: 1_000n } })
  await expect(ask(200_000_001n)).rejects.toMatchObject({
    code: 'AMOUNT_TOO_HIGH',
    details: { maximum: 200_000_000n },
  })
  ok({ ...honestAnswer, isAmountTooLow: true })
  await expect(ask()).rejects.toMatchObject({ code: 'AMOUNT_TOO_LOW' })
  answering({ status: 400, body: JSON.stringify({ type: 'AcrossApiError', code: 'AMOUNT_TOO_HIGH' }) })
  await expect(ask()).rejects.toMatchObject({ code: 'AMOUNT_TOO_HIGH' })
})

it('the bridge is unavailable on any other answer of the service', async () => {
  const { totalRelayFee, ...feeless } = honestAnswer
  const lies: unknown[] = [
    null,
    [],
    feeless,
    { ...honestAnswer, totalRelayFee: { total: '-1' } },
    { ...honestAnswer, totalRelayFee: { total: '1e3' } },
    { ...honestAnswer, totalRelayFee: { ...totalRelayFee, total: 100_000 } },
    { ...honestAnswer, totalRelayFee: { total: '9'.repeat(37) } },
    { ...honestAnswer, totalRelayFee: { total: '9'.repeat(5_000) } },
    { ...honestAnswer, timestamp: '99999999999' },
    { ...honestAnswer, timestamp: -1 },
    { ...honestAnswer, estimatedFillTimeSec: 1e300 },
    { ...honestAnswer, estimatedFillTimeSec: '4' },
    { ...honestAnswer, limits: { minDeposit: '5', maxDeposit: '4' } },
    { ...honestAnswer, isAmountTooLow: 'no' },
  ]
  for (const lie of lies) {
    ok(lie)
    await expect(ask(), JSON.stringify(lie)).rejects.toMatchObject({ code: 'SWAP_UNAVAILABLE' })
  }
  const answers: FeesAnswer[] = [
    { status: 200, body: 'not JSON' },
    { status: 200, body: `${' '.repeat(70_000)}${JSON.stringify(honestAnswer)}` },
    { status: 500, body: JSON.stringify(honestAnswer) },
    { status: 400, body: JSON.stringify({ code: 'SOMETHING_ELSE' }) },
    { status: 302, body: '' },
  ]
  for (const answer of answers) {
    answering(answer)
    await expect(ask(), answer?.body.slice(0, 40)).rejects.toMatchObject({ code: 'SWAP_UNAVAILABLE' })
  }
})

it('a silent service times out', async () => {
  answering(null)
  await expect(ask(1_000_000n, 100)).rejects.toMatchObject({ code: 'SWAP_UNAVAILABLE' })
})
