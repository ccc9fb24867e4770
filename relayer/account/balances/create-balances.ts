import type { DatabasePool } from 'slonik'
import type { DescribeApp } from '../addresses/addresses.ts'
import type { HoldingId, Provenance } from '../provenance/provenance.ts'
import type { FeeWaivers } from '../fee-waivers/fee-waivers.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { PoolBooks } from '../../pool/book/pool-books.ts'
import type { Prices } from '../../market/prices/prices.ts'
import { summarizePricing } from '../../market/prices/summarize-pricing.ts'
import { keyOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { TokenBalance } from '../../market/watchlist/watched-tokens.ts'
import { keepForAccounts } from '../changes/keep-for-accounts.ts'
import type { Balances, BalanceSheet, FundedAddress, FundedAddressQuery } from './balances.ts'
import { listShownTokens } from './list-shown-tokens.ts'
import { NO_AMOUNTS, readAmounts, type Amounts } from './read-amounts.ts'
import { readFundedAddresses, weighPages, type KeptPages } from './read-funded-addresses.ts'
import { addReceipts } from './add-receipts.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import { tokenMetadataUnavailable } from '../../market/errors.ts'
import { shareReadings } from '../../concurrency/coalesce-runs.ts'

/** Maximum of cached addresses, holdings and receipts of all accounts; a third of a kilobyte each. */
const MOST_KEPT = 30_000

/** Dependencies of the balances. */
export interface BalancesOptions {
  database: DatabasePool
  chains: readonly ChainConfig[]
  tokens: Tokens
  prices: Prices
  feeWaivers: FeeWaivers
  books: PoolBooks
  provenance: Provenance
  describeApp: DescribeApp
}

/**
 * Creates the balances over the indexer's tables in PostgreSQL. Reads send no request about an account's holdings to
 * a node.
 */
export function createBalances(options: BalancesOptions): Balances {
  const { database, tokens, prices, feeWaivers, provenance, describeApp } = options
  const kept = keepForAccounts<KeptPages>(MOST_KEPT)
  const chainNames = new Map(options.chains.map(({ chainId, name }) => [chainId, name]))

  function demandChain(chainId: number): void {
    if (!chainNames.has(chainId)) throw chainNotSupported(`Chain ${chainId} is not served`)
  }

  /** Holdings by list of addresses: an unchanged list is the same object, and so finds its cached origins. */
  const listings = new WeakMap<readonly FundedAddress[], readonly HoldingId[]>()

  const readFunded = (accountId: string, query: FundedAddressQuery) =>
    readFundedAddresses({ database, tokens, prices, chainNames, describeApp, kept }, accountId, query)

  async function readSheet(accountId: string, chainId?: number): Promise<BalanceSheet> {
    if (chainId !== undefined) demandChain(chainId)
    const [amounts, feeWaiver] = await Promise.all([
      readShown(options, accountId, chainId === undefined ? {} : { chainId }),
      feeWaivers.read(accountId),
    ])
    const balances = await describeBalances(options, chainNames, [...amounts.values()])
    return { balances, pricing: priceAll(balances), feeWaiver }
  }

  return {
    async heldBy(accountId) {
      return (await listShownTokens(options, accountId)).tokens
    },
    async read(accountId, token) {
      return (await readAmounts(options, accountId, token)).get(keyOf(token)) ?? NO_AMOUNTS
    },
    readSheet,
    follow: createSheetFollower(readSheet),
    async readToken(accountId, id) {
      demandChain(id.chainId)
      const amounts = (await readAmounts(options, accountId, id)).get(keyOf(id)) ?? { ...NO_AMOUNTS, ...id }
      const [balance] = await describeBalances(options, chainNames, [amounts])
      if (balance) return balance
      throw tokenMetadataUnavailable('The decimals of that token cannot be read now')
    },
    async readFundedAddresses(accountId) {
      return (await readFunded(accountId, {})).addresses
    },
    async explainFundedAddresses(accountId, query) {
      if (query.chainId !== undefined) demandChain(query.chainId)
      const { addresses, read, known, version } = await readFunded(accountId, query)
      const holdings = listings.get(addresses) ?? listHoldings(addresses)
      listings.set(addresses, holdings)
      const isGrowing = read.receipts === null
      const received = await addReceipts({ database, tokens, prices }, addresses, read, known)
      if (isGrowing) weighPages(kept, accountId, read)
      return {
        addresses: received,
        total: read.total,
        explained: await provenance.explainHoldings(accountId, holdings, { known, version }),
      }
    },
  }
}

/** Describes amounts. Drops tokens without metadata, because they have no decimals to show. */
async function describeBalances(
  { tokens, prices }: BalancesOptions,
  chainNames: ReadonlyMap<number, string>,
  amounts: readonly (TokenId & Amounts)[],
): Promise<TokenBalance[]> {
  const [known, worth] = await Promise.all([tokens.learnMany(amounts), prices.read(amounts)])
  return amounts.flatMap((one) => {
    const token = known.get(keyOf(one))
    const chainName = chainNames.get(one.chainId)
    if (!token || chainName === undefined) return []
    const { visible, pooled } = one
    return [{ token, chainName, visible, pooled, price: worth.get(keyOf(one)) ?? null }]
  })
}

const priceAll = (balances: readonly TokenBalance[]) =>
  summarizePricing(
    balances.map(({ visible, token, price }) => ({
      amount: visible.available + visible.pending,
      decimals: token.decimals,
      price,
    })),
  )

/** Reads the amounts that an answer shows. The second read is only for accounts that were sent very many tokens. */
async function readShown(options: BalancesOptions, accountId: string, only: Partial<TokenId>) {
  const { maxUnlisted } = options.tokens
  const amounts = await readAmounts(options, accountId, { ...only, most: maxUnlisted + 1 })
  if (amounts.size <= maxUnlisted) return amounts
  const shown = await listShownTokens(options, accountId)
  return readAmounts(options, accountId, { ...only, tokens: shown.tokens })
}

const listHoldings = (addresses: readonly FundedAddress[]): HoldingId[] =>
  addresses.flatMap(({ address, balances }) =>
    balances.map(({ token }) => ({ chainId: token.chainId, address, token: token.address })),
  )

/**
 * Creates the follower of an account's balances: it yields the sheet of a chain whenever an amount changes there.
 * It compares amounts, because transfers of nothing and new prices change none. Changes during the first read are not
 * missed. All followers of an account share the read after a change.
 */
function createSheetFollower(readSheet: Balances['readSheet']): Balances['follow'] {
  const share = shareReadings<BalanceSheet>()

  return async function* follow(accountId, changes) {
    // The first `next()` subscribes.
    let next = changes.next()
    let isEarly = false
    void next.then(
      () => (isEarly = true),
      () => undefined,
    )
    const told = amountsByChain(await readSheet(accountId))
    let tellsAll = isEarly
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = changes.next()
      for (const chainId of value.chainIds) {
        const sheet = await share(`${accountId} ${chainId}`, value.changedAt, () =>
          readSheet(accountId, chainId),
        )
        const amounts = amountsByChain(sheet).get(chainId)
        if (!tellsAll && amounts === told.get(chainId)) continue
        if (amounts === undefined) told.delete(chainId)
        else told.set(chainId, amounts)
        yield { chainId, sheet }
      }
      tellsAll = false
    }
  }
}

/** Returns the amounts of each chain as a text; equal texts mean equal amounts. */
function amountsByChain({ balances }: BalanceSheet): Map<number, string> {
  const byChain = Map.groupBy(balances, ({ token }) => token.chainId)
  return new Map(
    [...byChain].map(([chainId, those]) => [
      chainId,
      those
        .map(({ token, visible, pooled }) =>
          [token.address, ...Object.values(visible), ...Object.values(pooled)].join(' '),
        )
        .sort()
        .join('\n'),
    ]),
  )
}
