import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { connectWallet } from '../../test/devnet/wallet/connect-wallet.ts'
import type { Client } from '../../schema/client/account/open-client.ts'
import type { Quote } from '../../schema/client/quotes/send.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { sampleConversionQuotes } from './bench-conversion.ts'
import { benchCrowd, signAll, submit } from './bench-submit.ts'
import { openFundedClient } from './funded-accounts.ts'

/** Funded addresses of each account. */
const ADDRESSES = 50
/** Of one account in one round: it may request thirty a minute. */
const QUOTES = 24
/** The service reads and settles the funding and the transfers in this time, which is no part of a quote. */
const SETTLE_MS = 1_500
/** A chain with the time of day: intents expire by it. */
const DEVNET = { DEVNET_CHAIN_IDS: '31337', DEVNET_PORTS: '0', ASP_DELAY_SECONDS: '3600' }

/**
 * CPU of the service and its PostgreSQL for a quote of an account with fifty funded addresses. Beside it stands a wallet's
 * bare ERC-20 transfer that viem signs and sends. That is no peer: none offers the same, see the README.
 */
export async function benchTransact(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service')
  // One account quotes all the time: the pauses between its addresses take no CPU.
  const config = { http: { trustedProxies: 1 }, transact: { questionSpacingMs: 0 } }
  const service = await startOwnService(config, DEVNET)
  const token = service.chain.tokens[0]?.address
  if (!token) throw new Error('the devnet has no token')
  const ofService = readServiceCpu(service.url)
  const cluster = join(service.dataDir, 'postgres', 'cluster')
  const readCpu = async () => ((await ofService()) ?? 0) + readPostgresCpu(cluster)
  const plain: Sample[] = []
  const quotes: Sample[] = []
  const submissions: Sample[] = []
  const conversions: Sample[] = []
  const rows: UnratedRow[] = []
  try {
    for (let round = -1; round < settings.rounds; round += 1) {
      settings.tell(round < 0 ? 'warm-up' : `round ${round + 1} of ${settings.rounds}`)
      const client = await openFundedClient(service.url, service.chain, token, ADDRESSES)
      let given: Quote[] = []
      const transferred = await takeSample(readOwnCpu, QUOTES, () => transferPlainly(service.chain, token))
      await sleep(SETTLE_MS)
      const quoted = await takeSample(readCpu, QUOTES, async () => {
        given = await askQuotes(client, service.chain, token)
      })
      const signed = await signAll(client, given)
      const submitted = await takeSample(readCpu, QUOTES, () =>
        Promise.all(signed.map((body) => submit(client, body))),
      )
      const converted = await sampleConversionQuotes(service, token, readCpu)
      if (round < 0) continue
      plain.push(transferred)
      quotes.push(quoted)
      submissions.push(submitted)
      conversions.push(converted)
    }
    rows.push(...(await benchCrowd(settings, service, token, readCpu)))
  } finally {
    await service.stop()
  }
  return [
    summarize({ name: 'transact.plain', baseline: null, compared: 'cpu' }, plain),
    summarize({ name: 'transact.quote', baseline: 'transact.plain', compared: 'cpu' }, quotes),
    summarize({ name: 'transact.submitOneByOne', baseline: 'transact.plain', compared: 'cpu' }, submissions),
    summarize({ name: 'transact.conversionQuote', baseline: 'transact.plain', compared: 'cpu' }, conversions),
    ...rows,
  ]
}

const somebody = () => privateKeyToAddress(generatePrivateKey())

async function transferPlainly(chain: DescribedChain, token: Address): Promise<void> {
  const account = chain.accounts[3]
  if (!account) throw new Error('the devnet has too few accounts')
  const { sender } = connectWallet(chain, account.privateKey)
  for (let count = 0; count < QUOTES; count += 1)
    await sender.writeContract({
      address: token,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [somebody(), 1n],
    })
}

async function askQuotes(client: Client, { chainId }: DescribedChain, token: Address): Promise<Quote[]> {
  const quotes: Quote[] = []
  for (let count = 0; count < QUOTES; count += 1)
    quotes.push(
      await client.ask<Quote>('POST', `/v1/accounts/${client.accountId}/quote`, {
        type: 'send',
        chainId,
        token,
        amount: String(1_000_000 * (count + 1)),
        destinationAddress: somebody(),
      }),
    )
  return quotes
}
