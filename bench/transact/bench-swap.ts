import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Client } from '../../test/e2e/examples/client.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { openFundedClient } from './funded-accounts.ts'
import { seedManyPools } from './seed-many-pools.ts'

/** Funded addresses of each account. */
const ADDRESSES = 50
/** Of one account in one round for each kind: it may ask thirty times a minute. */
const QUOTES = 14
/** A chain with the time of day: intents expire by it. */
const DEVNET = { DEVNET_CHAIN_IDS: '31337', DEVNET_PORTS: '0', ASP_DELAY_SECONDS: '3600' }
/** Of the euro: addresses have ten of it times their place. */
const ONE = parseEther('1')

/**
 * CPU of the service for the quote of a swap over all paths between two tokens, beside the quote of a send of the same
 * token. One account with fifty funded addresses asks both, in turns the one or the other first.
 */
export async function benchSwap(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service')
  const service = await startOwnService({ http: { trustedProxies: 1 } }, DEVNET)
  const { chain } = service
  const readCpu = readServiceCpu(service.url)
  const sends: Sample[] = []
  const swaps: Sample[] = []
  let paths = 0
  try {
    const [, euro] = chain.tokens
    if (!euro) throw new Error('the devnet has too few tokens')
    paths = await seedManyPools(chain)
    for (let round = -1; round < settings.rounds; round += 1) {
      settings.tell(round < 0 ? 'warm-up' : `round ${round + 1} of ${settings.rounds}`)
      const client = await openFundedClient(service.url, chain, euro.address, ADDRESSES, 10n * ONE)
      const ask = (body: (place: number) => Record<string, unknown>) =>
        takeSample(readCpu, QUOTES, () => askQuotes(client, chain.chainId, body))
      const askSends = () =>
        ask((place) => ({
          type: 'send',
          token: euro.address,
          amount: String(ONE * BigInt(place)),
          destinationAddress: privateKeyToAddress(generatePrivateKey()),
        }))
      const askSwaps = () =>
        ask((place) => ({
          type: 'swap',
          tokenIn: euro.address,
          tokenOut: chain.strictToken.address,
          amountIn: String(ONE * BigInt(place)),
        }))
      const isSwapFirst = round % 2 === 0
      const first = await (isSwapFirst ? askSwaps() : askSends())
      const second = await (isSwapFirst ? askSends() : askSwaps())
      if (round < 0) continue
      sends.push(isSwapFirst ? second : first)
      swaps.push(isSwapFirst ? first : second)
    }
  } finally {
    await service.stop()
  }
  return [
    summarize({ name: 'swap.sendQuote', baseline: null, compared: 'cpu' }, sends),
    {
      ...summarize({ name: 'swap.quote', baseline: 'swap.sendQuote', compared: 'cpu' }, swaps),
      note: `${paths} paths`,
    },
  ]
}

async function askQuotes(
  { ask, accountId }: Client,
  chainId: number,
  body: (place: number) => Record<string, unknown>,
): Promise<void> {
  for (let place = 1; place <= QUOTES; place += 1)
    await ask('POST', `/v1/accounts/${accountId}/quote`, { chainId, ...body(place) })
}
