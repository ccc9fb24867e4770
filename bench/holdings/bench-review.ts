import { createHash } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { getAddress, zeroAddress, type Address } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { sql } from '../../db/connect-database.ts'
import { openClient, type Client } from '../../schema/client/account/open-client.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import { benchReviewStreams } from './bench-review-streams.ts'
import { tokenAddress, TOKENS } from './fill-database.ts'

const ADDRESSES = 1_000
const REQUESTS = 8
const PAGE = 50

/**
 * Cost of reviewing a thousand paid addresses: the summary of all, the same with twenty tokens at each, and a page of a
 * stored snapshot. The page should not depend on the number of the others.
 */
export async function benchReview(
  settings: Settings,
  { url, chainId, readCpu }: { url: string; chainId: number; readCpu: () => Promise<number> },
  database: DatabasePool,
): Promise<UnratedRow[]> {
  settings.tell(`${ADDRESSES} addresses to review, of one token and of ${TOKENS}`)
  const open = async (tokens: readonly Address[]) => {
    const client = await openClient({ url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })
    await fillReview(database, { chainId, accountId: client.accountId, tokens })
    return client
  }
  const readerOf = (client: Client) => (query: string) =>
    client.ask<ReviewAnswer>('GET', `/v1/accounts/${client.accountId}/deposit-review${query}`)
  const plain = await open([zeroAddress])
  const askPlain = readerOf(plain)
  const askRich = readerOf(
    await open([zeroAddress, ...Array.from({ length: TOKENS - 1 }, (_, at) => tokenAddress(at))]),
  )
  await database.query(sql.typeAlias('void')`analyze`)

  const expectAll = ({ needsReviewCount }: ReviewAnswer) => {
    if (needsReviewCount !== ADDRESSES) throw new Error(`${needsReviewCount} addresses need review`)
  }
  const cases: Record<string, () => Promise<() => Promise<void>>> = {
    reviewSummary: async () => async () => expectAll(await askPlain('/summary')),
    reviewSummaryOfTokens: async () => async () => expectAll(await askRich('/summary')),
    reviewPage: async () => {
      const first = await askPlain(`?limit=${PAGE}`)
      const next = `?limit=${PAGE}&snapshotId=${first.snapshotId}&cursor=${first.pageInfo.nextCursor}`
      return async () => {
        const { snapshotId, items } = await askPlain(next)
        if (snapshotId !== first.snapshotId || items.length !== PAGE) throw new Error('the snapshot has gone')
      }
    },
  }
  const samples = new Map<string, Sample[]>(Object.keys(cases).map((name) => [name, []]))
  for (let round = -1; round < settings.rounds; round += 1)
    for (const [name, prepare] of Object.entries(cases)) {
      const ask = await prepare()
      const sample = await takeSample(readCpu, REQUESTS, async () => {
        for (let request = 0; request < REQUESTS; request += 1) await ask()
      })
      // The first round warms up.
      if (round >= 0) samples.get(name)?.push(sample)
    }
  const rows = [...samples].map(([name, taken]) =>
    summarize(
      {
        name: `holdings.${name}`,
        baseline: name === 'reviewSummary' ? null : 'holdings.reviewSummary',
        compared: 'cpu',
      },
      taken,
    ),
  )
  return [...rows, ...(await benchReviewStreams(settings, { url, readCpu }, plain))]
}

interface ReviewAnswer {
  needsReviewCount: number
  snapshotId: string
  items: unknown[]
  pageInfo: { nextCursor: string }
}

/** Gives an account its addresses, each paid in every one of the tokens, which it watches. */
async function fillReview(
  database: DatabasePool,
  { chainId, accountId, tokens }: { chainId: number; accountId: string; tokens: readonly Address[] },
): Promise<void> {
  const run = sql.typeAlias('void')
  const own = Array.from({ length: ADDRESSES }, (_, nonce) => {
    const digits = createHash('sha256').update(`${accountId} review ${nonce}`).digest('hex').slice(0, 40)
    return getAddress(`0x${digits}`)
  })
  const paid = sql.fragment`
    unnest(${sql.array(own, 'text')}) with ordinality as own (address, place)
    cross join unnest(${sql.array([...tokens], 'text')}) with ordinality as paid (token, part)`
  const standard = sql.fragment`case token when ${zeroAddress} then 'native' else 'erc20' end`
  await database.query(run`
    insert into account_token (account_id, chain_id, address)
    select ${accountId}::uuid, ${chainId}, token from unnest(${sql.array([...tokens], 'text')}) as token
    where token <> ${zeroAddress}`)
  await database.query(run`
    insert into stealth_address (address, account_id, derivation_nonce, generation_context)
    select address, ${accountId}::uuid, place - 1, 'external'
    from unnest(${sql.array(own, 'text')}) with ordinality as own (address, place)`)
  await database.query(run`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select ${chainId}::bigint, address, ${standard}, token, 1000000000000000000, false, 1, '0x00' from ${paid}`)
  await database.query(run`
    insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    select ${chainId}::bigint, '0x' || md5(address || token), 'log', 0, place, date_trunc('second', now()) - place * interval '1 minute',
      '0x' || md5(address || token) || md5(token || address), ${standard}, token, ${zeroAddress}, address,
      1000000000000000000 from ${paid}`)
}
