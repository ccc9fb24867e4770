import { isDeepStrictEqual } from 'node:util'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import {
  listFundedAddresses,
  lockKey,
  readFundsState,
  type FundedAddressRow,
  type LockedAmounts,
} from '../../../db/account/balances/address-holdings.ts'
import { hasSameFacts, type AccountVersion } from '../../../db/account/changes/account-version.ts'
import type { DescribeApp } from '../addresses/addresses.ts'
import { nextSlice } from '../../concurrency/next-slice.ts'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Token, Tokens } from '../../market/tokens/tokens.ts'
import type { AddressTokenBalance, FundedAddress, FundedAddressQuery, ReceivingAddress } from './balances.ts'
import type { KeptForAccounts } from '../changes/keep-for-accounts.ts'
import { listShownTokens } from './list-shown-tokens.ts'

/** Sources of funded addresses and their worth. */
export interface FundedAddressSources {
  database: DatabasePool
  tokens: Tokens
  prices: Prices
  chainNames: ReadonlyMap<number, string>
  describeApp: DescribeApp
  kept: KeptForAccounts<KeptPages>
}

/** Tokens and prices by key; null if there is none. */
export interface LearntTokens {
  tokens: Map<TokenKey, Token | null>
  prices: Map<TokenKey, Price | null>
}

/**
 * Receipts of a token at an address; a null id sums all tokens that are not listed one by one. Equal tokens are the
 * same object.
 */
export interface TokenReceipts {
  id: TokenId | null
  receiveCount: number
  lastReceivedAt: Date
}

/** Receipts of the addresses of a page, as read. */
export interface ReadReceipts {
  of: ReadonlyMap<Address, readonly TokenReceipts[]>
  privatelyAt: ReadonlyMap<Address, Date>
  /** All received tokens that are listed. */
  tokens: readonly TokenId[]
}

/** A page of funded addresses, as read. */
export interface FundedRows {
  rows: readonly FundedAddressRow[]
  total: number
  /** Tokens that the answer lists one by one. */
  shown: readonly TokenId[]
  /** Null until first requested. */
  receipts: ReadReceipts | null
  /** The last result and its inputs: the same objects are returned while the inputs are equal. */
  described: { addresses: readonly FundedAddress[]; known: LearntTokens; locked: LockedAmounts } | null
  receiving: {
    addresses: readonly FundedAddress[]
    tokens: LearntTokens['tokens']
    told: readonly ReceivingAddress[]
  } | null
}

/** Pages read at one version of the account's facts. Amounts reserved by quotes are not among them. */
export interface KeptPages {
  version: AccountVersion
  pages: Map<string, FundedRows>
}

/** A page of funded addresses, with the tokens and prices read on the way. */
interface FundedPage {
  addresses: readonly FundedAddress[]
  read: FundedRows
  known: LearntTokens
  /** The version of the account's facts, read before the rest. */
  version: AccountVersion
}

/** Addresses described at a time: a few milliseconds, then other requests have their turn. */
const SLICE = 500
/** Maximum of cached pages per account. */
const MOST_PAGES = 20

/**
 * Reads the addresses with holdings: four queries, whatever their number, or one while nothing changed.
 * Drops tokens beyond `catalog.maxUnlisted` as {@link listShownTokens} does, unless the query names one.
 */
export async function readFundedAddresses(
  sources: FundedAddressSources,
  accountId: string,
  query: FundedAddressQuery,
): Promise<FundedPage> {
  const { tokens, prices } = sources
  const { read, locked, version } = await readRows(sources, accountId, query)
  const { rows } = read
  const known: LearntTokens = { tokens: new Map(), prices: new Map() }
  await learnTokens(
    { tokens, prices },
    rows.flatMap(({ holdings }) => holdings.map(({ id }) => id)),
    known,
  )
  const made = read.described
  if (made && isDeepStrictEqual([made.known, made.locked], [known, locked]))
    return { addresses: made.addresses, read, known, version }
  const describe = createDescription(sources, known, locked)
  const addresses: FundedAddress[] = []
  for (let start = 0; start < rows.length; start += SLICE) {
    if (start > 0) await nextSlice()
    addresses.push(...rows.slice(start, start + SLICE).map(describe))
  }
  // Copied: the caller may add to `known`.
  const { tokens: ofTokens, prices: ofPrices } = known
  read.described = {
    addresses,
    known: { tokens: new Map(ofTokens), prices: new Map(ofPrices) },
    locked,
  }
  return { addresses, read, known, version }
}

/** Reads a page, or returns the cached one if the account's facts are unchanged. */
async function readRows(
  sources: FundedAddressSources,
  accountId: string,
  query: FundedAddressQuery,
): Promise<Pick<FundedPage, 'read' | 'version'> & { locked: LockedAmounts }> {
  const { database, kept } = sources
  const { address, chainId, token, limit = null, offset = 0 } = query
  const key = JSON.stringify([address, chainId, token, limit, offset])
  const { version, locked } = await readFundsState(database, accountId)
  const found = kept.find(accountId)
  const current = found && hasSameFacts(found.version, version) ? found : { version, pages: new Map() }
  const known = current.pages.get(key)
  if (known) return { read: known, locked, version }
  const { tokens: ofAccount, isLimited } = await listShownTokens(sources, accountId)
  const isNarrowed = isLimited && token === undefined
  const filter = { accountId, address, chainId, token, ...(isNarrowed && { tokens: ofAccount }) }
  const { rows, total, locked: lockedNow } = await listFundedAddresses(database, filter, { limit, offset })
  // A token that the query names is always shown.
  const named = token !== undefined && chainId !== undefined ? [{ chainId, address: token }] : []
  const read: FundedRows = {
    rows,
    total,
    shown: [...ofAccount, ...named],
    receipts: null,
    described: null,
    receiving: null,
  }
  // Not cached if limited: the shown tokens then depend on prices.
  if (!isLimited) {
    if (current.pages.size >= MOST_PAGES) current.pages.clear()
    current.pages.set(key, read)
    kept.keep(accountId, current, weightOf(current))
  }
  return { read, locked: lockedNow, version }
}

/** Updates the weight of an account's pages after one grew. */
export function weighPages(kept: KeptForAccounts<KeptPages>, accountId: string, grown: FundedRows): void {
  const found = kept.find(accountId)
  if (found && [...found.pages.values()].includes(grown)) kept.keep(accountId, found, weightOf(found))
}

/** Counts addresses, holdings and receipts; receipts may far outnumber the rest. */
const weightOf = ({ pages }: KeptPages): number =>
  [...pages.values()].reduce(
    (sum, { rows, receipts }) =>
      rows.reduce(
        (ofPage, { address, holdings }) =>
          ofPage + 1 + holdings.length + (receipts?.of.get(address)?.length ?? 0),
        sum,
      ),
    1,
  )

/** Reads the tokens and prices that are missing. */
export async function learnTokens(
  { tokens, prices }: { tokens: Tokens; prices: Prices },
  ids: readonly TokenId[],
  known: LearntTokens,
): Promise<void> {
  const fresh = new Map<TokenKey, TokenId>()
  for (const id of new Set(ids)) if (!known.tokens.has(keyOf(id))) fresh.set(keyOf(id), id)
  if (fresh.size === 0) return
  const unknown = [...fresh.values()]
  const [learnt, priced] = await Promise.all([tokens.learnMany(unknown), prices.read(unknown)])
  for (const key of fresh.keys()) {
    known.tokens.set(key, learnt.get(key) ?? null)
    known.prices.set(key, priced.get(key) ?? null)
  }
}

/** Caches by object identity: rows share one object per token, so each token is looked up once. */
function createDescription(
  { chainNames, describeApp }: FundedAddressSources,
  known: LearntTokens,
  locked: LockedAmounts,
) {
  const about = new Map<TokenId, Pick<AddressTokenBalance, 'token' | 'chainName' | 'price'> | null>()

  function find(id: TokenId) {
    const token = known.tokens.get(keyOf(id))
    const chainName = chainNames.get(id.chainId)
    const found =
      token && chainName !== undefined
        ? { token, chainName, price: known.prices.get(keyOf(id)) ?? null }
        : null
    about.set(id, found)
    return found
  }

  return ({ address, derivationNonce, usedOrigins, holdings }: FundedAddressRow): FundedAddress => {
    const balances: AddressTokenBalance[] = []
    for (const { id, held } of holdings) {
      const found = about.get(id) ?? find(id)
      if (!found) continue
      const { token, chainName, price } = found
      const promised = locked.size > 0 ? (locked.get(lockKey(id.chainId, id.address, address)) ?? 0n) : 0n
      const pending = promised < held ? promised : held
      balances.push({ token, chainName, available: held - pending, pending, price })
    }
    return { address, derivationNonce, usedApps: usedOrigins.map(describeApp), balances }
  }
}
