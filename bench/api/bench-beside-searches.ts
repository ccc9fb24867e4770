import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { findRunningServer } from '../../db/embedded-postgres/server-address.ts'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import type { Quote } from '../../schema/client/quotes/send.ts'
import { insertTokens, tokenAddress } from '../holdings/fill-database.ts'
import { analyzeWallets, fillWallet, POOL } from '../holdings/fill-wallet.ts'
import type { UnratedRow } from '../measure/row.ts'
import { percentiles } from '../measure/statistics.ts'
import { summarize, type Sample } from '../measure/take-sample.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { openFundedClient } from '../transact/funded-accounts.ts'

/** More transactions than the largest page has. */
const ADDRESSES = 600
const PAGE = 500
/** Concurrent searches. */
const SEARCHES = 16
/** One account searches until its minute is used up, then another. */
const SEARCHERS = 2
/** Honest accounts of a round, and the quotes of each, alone and beside: it may have thirty a minute. */
const HONEST = 3
const QUOTES = 14
const FUNDED = 3
const TOLD = '95th percentile of each round, spread over the rounds'
/** A chain with the time of day: intents expire by it. */
const DEVNET = { DEVNET_CHAIN_IDS: '31337', DEVNET_PORTS: '0', ASP_DELAY_SECONDS: '3600' }

/**
 * An honest client's latency of a quote beside sixteen concurrent searches of another account, the dearest there are. The
 * baseline is the same quote with nothing beside it.
 */
export async function benchBesideSearches(settings: Settings): Promise<UnratedRow[]> {
  settings.tell(`quotes beside ${SEARCHES} searches of another account`)
  const service = await startOwnService({ http: { trustedProxies: 1 } }, DEVNET)
  const databaseUrl = findRunningServer(service.dataDir)
  if (!databaseUrl) throw new Error('the service has no embedded database')
  const database = await connectDatabase(databaseUrl)
  const { url, chain } = service
  const alone: number[][] = []
  const beside: number[][] = []
  let searched = 0
  try {
    await insertTokens(database, chain.chainId)
    for (let round = -1; round < settings.rounds; round += 1) {
      const honest: Client[] = []
      const token = chain.tokens[0]?.address
      if (!token) throw new Error('the devnet has no token')
      for (let place = 0; place < HONEST; place += 1)
        honest.push(await openFundedClient(url, chain, token, FUNDED))
      const searchers: Client[] = []
      for (let place = 0; place < SEARCHERS; place += 1)
        searchers.push(await openSearcher(url, database, chain, (round + 1) * SEARCHERS + place))
      await analyzeWallets(database)
      await untilIndexed(database)
      const quotesAlone = await timeQuotes(honest, chain)
      const flood = startSearches(searchers)
      const quotesBeside = await timeQuotes(honest, chain)
      const answered = await flood.stop()
      // The first warms up.
      if (round < 0) continue
      alone.push(quotesAlone)
      beside.push(quotesBeside)
      searched += answered
    }
  } finally {
    await database.end()
    await service.stop()
  }
  const note = `${TOLD}; ${Math.round(searched / beside.length)} searches of ${PAGE} transactions answered in a round`
  return [
    { ...rowOf('api.quoteAlone', null, alone), note: TOLD },
    { ...rowOf('api.quoteBesideSearches', 'api.quoteAlone', beside), note },
  ]
}

function rowOf(name: string, baseline: string | null, rounds: readonly number[][]): UnratedRow {
  const samples = rounds.map((times): Sample => ({
    operations: times.length,
    cpuMs: null,
    wallMs: percentiles(times).p95,
  }))
  return {
    ...summarize({ name, baseline, compared: 'wall' }, samples),
    latencyMs: percentiles(rounds.flat()),
  }
}

/** An account with a long history of payments by one address. */
async function openSearcher(
  url: string,
  database: DatabasePool,
  { chainId }: DescribedChain,
  place: number,
): Promise<Client> {
  const client = await openNewClient({ url, headers: { 'x-forwarded-for': `10.0.3.${1 + place}` } })
  const tokens = [tokenAddress(0)]
  await fillWallet(database, {
    chainId,
    accountId: client.accountId,
    addresses: ADDRESSES,
    tokens,
    daysOld: 0,
  })
  return client
}

/** Waits until the indexer has no work left for the written addresses. */
async function untilIndexed(database: DatabasePool): Promise<void> {
  const isBusy = () =>
    database.oneFirst(sql.type(z.object({ busy: z.boolean() }))`
      select exists (select from holding where stale)
        or exists (select from stealth_address left join watched_address using (address)
          where live_from is null or history_next is not null) as busy`)
  while (await isBusy()) await sleep(500)
}

function startSearches(searchers: readonly Client[]) {
  const state = { isOver: false, answered: 0, place: 0 }
  const body = { address: POOL, pagination: { limit: PAGE }, include: { summary: true } }
  const search = async () => {
    while (!state.isOver) {
      const place = state.place
      const { accountId, ask } = searchers[place % searchers.length]!
      await ask('POST', `/v1/accounts/${accountId}/activities/search`, body).then(
        () => (state.answered += 1),
        () => {
          if (state.place === place) state.place += 1
          return sleep(100)
        },
      )
    }
  }
  const searching = Promise.all(Array.from({ length: SEARCHES }, search))
  return {
    async stop(): Promise<number> {
      const { answered } = state
      state.isOver = true
      await searching
      return answered
    },
  }
}

/** Returns the milliseconds of each quote, which is unlocked before the next. */
async function timeQuotes(
  clients: readonly Client[],
  { chainId, tokens }: DescribedChain,
): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < QUOTES; count += 1)
    for (const { accountId, ask } of clients) {
      const terms = {
        type: 'send',
        chainId,
        token: tokens[0]?.address,
        amount: '1000000',
        destinationAddress: privateKeyToAddress(generatePrivateKey()),
      }
      const from = performance.now()
      const { quoteId } = await ask<Quote>('POST', `/v1/accounts/${accountId}/quote`, terms)
      times.push(performance.now() - from)
      await ask('POST', `/v1/accounts/${accountId}/unlock`, { quoteId })
    }
  return times
}
