import { Registry } from 'prom-client'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerVenueFigures } from '../../../../gateway/observation/venue-figures.ts'
import { readSuggestedFees } from '../../../../relayer/transact/venues/bridge/across/suggested-fees.ts'
import { observeVenue } from '../../../../relayer/transact/venues/observe-venue.ts'
import { askKyberswapRoute } from '../../../../relayer/transact/venues/swap/kyberswap/ask-kyberswap.ts'
import { honestAnswer, startFeesServer, type FeesServer } from './bridge/across/start-fees-server.ts'

const TOKEN = '0x000000000000000000000000000000000000dEaD'
let server: FeesServer
beforeAll(async () => {
  server = await startFeesServer()
})
afterAll(() => server?.stop())

const ask = (timeoutMs = 30_000) =>
  observeVenue({ venue: 'across', chainId: 1 }, () =>
    readSuggestedFees(
      { url: server.url, timeoutMs },
      {
        originChainId: 1,
        destinationChainId: 10,
        inputToken: zeroAddress,
        outputToken: zeroAddress,
        amount: 10_000_000n,
        message: null,
      },
    ),
  ).catch(() => null)

const askAggregator = () => {
  const config = { url: server.url, chain: 'one', router: zeroAddress }
  return observeVenue({ venue: 'kyberswap', chainId: 1 }, () =>
    askKyberswapRoute(config, { tokenIn: zeroAddress, tokenOut: TOKEN, amountIn: 1n }),
  ).catch(() => null)
}

it('the metrics count questions to venues by their end, silence apart from invalid answers', async () => {
  const registry = new Registry()
  const stop = registerVenueFigures(registry)
  server.answer = () => ({ status: 200, body: JSON.stringify(honestAnswer) })
  await ask()
  server.answer = () => ({ status: 400, body: JSON.stringify({ code: 'AMOUNT_TOO_LOW' }) })
  await ask()
  await ask()
  server.answer = () => ({ status: 200, body: 'no JSON' })
  await ask()
  await askAggregator()
  server.answer = () => null
  await ask(50)
  await askAggregator()
  server.answer = () => ({ status: 200, body: '{"code":4008,"message":"route not found"}' })
  await askAggregator()
  stop()
  await askAggregator()
  const counted = (await registry.metrics()).match(/^venue_answer_seconds_count.*$/gm)
  expect(counted?.toSorted()).toEqual([
    'venue_answer_seconds_count{venue="across",chain="1",outcome="answered"} 1',
    'venue_answer_seconds_count{venue="across",chain="1",outcome="failed"} 1',
    'venue_answer_seconds_count{venue="across",chain="1",outcome="refused"} 2',
    'venue_answer_seconds_count{venue="across",chain="1",outcome="timed_out"} 1',
    'venue_answer_seconds_count{venue="kyberswap",chain="1",outcome="failed"} 1',
    'venue_answer_seconds_count{venue="kyberswap",chain="1",outcome="none"} 1',
    'venue_answer_seconds_count{venue="kyberswap",chain="1",outcome="timed_out"} 1',
  ])
})
