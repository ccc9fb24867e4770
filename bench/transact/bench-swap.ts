import { randomUUID } from 'node:crypto'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Client } from '../../schema/client/account/open-client.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { openFundedClient } from './funded-accounts.ts'
import { seedManyPools } from './seed-many-pools.ts'

/** Funded addresses of each account. */
const ADDRESSES = 50
/** Of one account in one round for each case: it may request thirty quotes a minute. */
const ASKED = 14
/** A chain with the time of day: intents expire by it. */
const DEVNET = { DEVNET_CHAIN_IDS: '31337', DEVNET_PORTS: '0', ASP_DELAY_SECONDS: '3600' }
/** Of the euro: each address has ten of it times its place. */
const ONE = parseEther('1')
/** More euros than an account of the bench has. */
const TOO_MUCH = parseEther('50000')

type Place = (place: number) => Promise<unknown>

/**
 * CPU of the service for swaps over all paths between two tokens, beside the quote of a send of the same token. The cases
 * are the quote, its refresh, the preview, and the preview of a swap that the account could not pay. One account with fifty
 * funded addresses runs all of them, beginning with another one in each round.
 */
export async function benchSwap(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service')
  const service = await startOwnService({ http: { trustedProxies: 1 } }, DEVNET)
  const { chain } = service
  const { readCpu } = service
  const samples = new Map<string, Sample[]>()
  let paths = 0
  try {
    const [, euro] = chain.tokens
    if (!euro) throw new Error('the devnet has too few tokens')
    paths = await seedManyPools(chain)
    const swap = { chainId: chain.chainId, tokenIn: euro.address, tokenOut: chain.strictToken.address }
    for (let round = -1; round < settings.rounds; round += 1) {
      settings.tell(round < 0 ? 'warm-up' : `round ${round + 1} of ${settings.rounds}`)
      const client = await openFundedClient(service.url, chain, euro.address, ADDRESSES, 10n * ONE)
      const cases = Object.entries(casesOf(client, swap))
      const start = (round + 1) % cases.length
      for (const [name, ask] of [...cases.slice(start), ...cases.slice(0, start)]) {
        const sample = await takeSample(readCpu, ASKED, async () => {
          for (let place = 1; place <= ASKED; place += 1) await ask(place)
        })
        if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample])
      }
    }
  } finally {
    await service.stop()
  }
  const baseline = 'swap.sendQuote'
  const rowOf = (name: string): UnratedRow =>
    summarize(
      { name, baseline: name === baseline ? null : baseline, compared: 'cpu' },
      samples.get(name) ?? [],
    )
  return [
    rowOf(baseline),
    { ...rowOf('swap.quote'), note: `${paths} paths` },
    ...['swap.refresh', 'swap.preview', 'swap.previewRateOnly'].map(rowOf),
  ]
}

/** The cases, by the name of their row. */
function casesOf(
  { ask, accountId }: Client,
  swap: { chainId: number; tokenIn: string; tokenOut: string },
): Record<string, Place> {
  const { chainId, tokenIn: token } = swap
  const account = `/v1/accounts/${accountId}`
  const amountOf = (place: number) => String(ONE * BigInt(place))
  const quoteSwap = (place: number) =>
    ask<{ quoteId: string }>('POST', `${account}/quote`, { type: 'swap', ...swap, amountIn: amountOf(place) })
  let refreshed: Promise<{ quoteId: string }> | undefined
  return {
    'swap.sendQuote': (place) =>
      ask('POST', `${account}/quote`, {
        type: 'send',
        chainId,
        token,
        amount: amountOf(place),
        destinationAddress: privateKeyToAddress(generatePrivateKey()),
      }),
    'swap.quote': quoteSwap,
    async 'swap.refresh'() {
      const { quoteId } = await (refreshed ??= quoteSwap(1))
      refreshed = ask('POST', `${account}/quotes/${quoteId}/refresh`, undefined, {
        'idempotency-key': randomUUID(),
      })
      await refreshed
    },
    'swap.preview': (place) => ask('POST', `${account}/swap-preview`, { ...swap, amountIn: amountOf(place) }),
    'swap.previewRateOnly': () =>
      ask('POST', `${account}/swap-preview`, { ...swap, amountIn: String(TOO_MUCH) }),
  }
}
