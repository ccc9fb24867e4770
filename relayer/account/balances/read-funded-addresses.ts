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

/** Where funded addresses and their worth come from. */
export interface FundedAddressSources {
  database: DatabasePool
  tokens: Tokens
  prices: Prices
  chainNames: ReadonlyMap<number, string>
  describeApp: DescribeApp
  kept: KeptForAccounts<KeptPages>
}

/** What is known of tokens: null where it is known that there is nothing. */
export interface LearntTokens {
  tokens: Map<TokenKey, Token | null>
  prices: Map<TokenKey, Price | null>
}

/** How often an address was paid a token; null for all that are not listed one by one. Equal tokens are the same object. */
export interface TokenReceipts {
  id: TokenId | null
  receiveCount: number
  lastReceivedAt: Date
}

/** How addresses were paid, as it was read. */
export interface ReadReceipts {
  of: ReadonlyMap<Address, readonly TokenReceipts[]>
  privatelyAt: ReadonlyMap<Address, Date>
  /** All that were received and are listed. */
  tokens: readonly TokenId[]
}

/** A page of funded addresses, as it was read. */
export interface FundedRows {
  rows: readonly FundedAddressRow[]
  total: number
  /** Tokens that the answer tells of one by one. */
  shown: readonly TokenId[]
  /** Null until somebody asks. */
  receipts: ReadReceipts | null
  /** What was made of it last, and what that was made with: the same objects are told of again while nothing changes. */
  described: { addresses: readonly FundedAddress[]; known: LearntTokens; locked: LockedAmounts } | null
  receiving: {
    addresses: readonly FundedAddress[]
    tokens: LearntTokens['tokens']
    told: readonly ReceivingAddress[]
  } | null
}

/** Pages that were read while the facts of their account were in one state; what quotes reserve is not among these. */
export interface KeptPages {
  version: AccountVersion
  pages: Map<string, FundedRows>
}

/** A page of funded addresses, and what was learnt on the way. */
interface FundedPage {
  addresses: readonly FundedAddress[]
  read: FundedRows
  known: LearntTokens
  /** The state of the account's facts, read before the rest. */
  version: AccountVersion
}

/** Addresses that are described at a time: a few milliseconds, after which other requests have their turn. */
const SLICE = 500
/** Pages that are kept of one account. */
const MOST_PAGES = 20

/**
 * The addresses that hold something, with their holdings, by four queries, whatever their number, or by one while nothing changed.
 * Tokens beyond `catalog.maxUnlisted` are left out as {@link listShownTokens} says, unless the query names one.
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
  // More may be learnt for the caller.
  const { tokens: ofTokens, prices: ofPrices } = known
  read.described = {
    addresses,
    known: { tokens: new Map(ofTokens), prices: new Map(ofPrices) },
    locked,
  }
  return { addresses, read, known, version }
}

/** Reads a page, unless it was read before and nothing of the account changed. */
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
  // Which of very many tokens are shown depends on prices.
  if (!isLimited) {
    if (current.pages.size >= MOST_PAGES) current.pages.clear()
    current.pages.set(key, read)
    kept.keep(accountId, current, weightOf(current))
  }
  return { read, locked: lockedNow, version }
}

/** Weighs the pages of an account again, of which one grew. */
export function weighPages(kept: KeptForAccounts<KeptPages>, accountId: string, grown: FundedRows): void {
  const found = kept.find(accountId)
  if (found && [...found.pages.values()].includes(grown)) kept.keep(accountId, found, weightOf(found))
}

/** Addresses, what they hold, and what they were ever paid, which may be many times that. */
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

/** Adds what is not known of tokens yet. */
export async function learnTokens(
  { tokens, prices }: Pick<FundedAddressSources, 'tokens' | 'prices'>,
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

/** Rows name a token by the same object, so that it is looked up once. */
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
