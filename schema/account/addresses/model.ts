import { z } from 'zod'
import { address, amount, chainId, digitsLike, dollars, moment } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'
import { logoUrl, tokenAddress, tokenSymbol } from '../../market/describe-balance.ts'
import { cursorOf } from '../../define/cursor.ts'

/** The derivation nonce after which the next page begins. */
export const addressCursor = cursorOf(z.string().max(100), z.int().nonnegative())

/** The number of a one-time address within its account. */
export const derivationNonce = described(
  z.int().nonnegative(),
  'Derivation nonce of the address: its number among the account’s one-time addresses, from 0.',
)

export const issuedAddress = shape('PaymentAddress', 'An address to be paid at.', {
  address: described(address, 'A one-time address of the account, the same on every chain.'),
  nonce: described(
    digitsLike('0'),
    'Derivation nonce of the address as a decimal string; in lists it is a number.',
  ),
  reused: described(z.boolean(), 'True for an unused address that was handed out before.'),
  limitResetsAt: described(
    moment.nullable(),
    'When fresh addresses are handed out again; null while they are.',
  ),
})

const generationContext = described(
  z.enum(['external', 'fund-movement']),
  'external: to be paid at. fund-movement: made by the service to move funds to.',
  { id: 'GenerationContext' },
)

const limit = described(z.int().min(1).max(500).optional(), 'Entries of a page, 1 to 500; 100 unless given.')

const addressActivity = described(
  z.enum(['used', 'unused']),
  'Whether anything ever happened at an address.',
  { id: 'AddressActivity' },
)

export const addressesQuery = parameters({
  address: described(address.optional(), 'Only this address of the account.'),
  activity: described(
    z.string().max(32).optional(),
    '`used` or `unused` (`true`, `false`): those with or without activity. Anything else means all.',
    { graph: { type: addressActivity.optional() } },
  ),
  hasBalance: described(
    z.boolean().optional(),
    'true: only addresses that hold something. false: only those that do not.',
  ),
  usedWithApps: described(
    z.boolean().optional(),
    'true: only addresses that an app was shown. false: only those that none was.',
  ),
  includeSummary: described(z.boolean().optional(), 'True adds `summary` to each address.'),
  limit,
  cursor: described(addressCursor.optional(), '`nextCursor` of the page before.'),
})

export const usedApp = shape('UsedApp', 'An app that an address was shown.', {
  origin: described(z.string(), 'Scheme, host and port of the app.'),
  displayName: described(z.string(), 'Name of the app: the host of its origin.'),
  iconUrl: described(z.string().nullable(), 'URL of the app’s picture; null without one.'),
})

const balanceSummary = shape('AddressBalanceSummary', 'The balance of one token at an address.', {
  chainId,
  token: tokenAddress,
  amount: described(amount, 'Amount of the token that the address holds, in the smallest unit.'),
  tokenSymbol,
  decimals: described(z.int(), 'Decimals of the token: a whole token is 10^decimals smallest units.'),
  logoUrl,
  usdAmount: described(dollars.nullable(), 'Value of `amount` in US dollars; null without a price.'),
})

const summary = shape('AddressSummary', 'The holdings of an address, and the apps that used it.', {
  balances: described(z.array(balanceSummary), 'One entry per token and chain.'),
  totalUsdBalance: described(
    dollars.nullable(),
    'Value of all that the address holds in US dollars; null when nothing of it has a price.',
  ),
  usedApps: described(z.array(usedApp), 'The apps that were shown this address.'),
})

export const ownedAddress = shape('OwnedAddress', 'A one-time address of the account.', {
  generationContext: described(
    generationContext.nullable(),
    'The purpose of the address; null where that was not recorded.',
  ),
  address: described(address, 'The one-time address, the same on every chain.'),
  nonce: derivationNonce,
  createdAt: described(moment, 'When the address was made.'),
  hasActivity: described(z.boolean(), 'True when a transaction touched the address.'),
  activityCount: described(z.int().nonnegative(), 'Number of transactions that touched the address.'),
  hasPendingActivity: described(z.boolean(), 'True while a submitted quote pays from the address or to it.'),
  hasBalance: described(z.boolean(), 'True when the address holds something.'),
  summary: described(summary.optional(), 'Balances and apps; absent unless `includeSummary` is true.'),
})

export const addressPage = shape('AddressPage', 'A page of one-time addresses.', {
  items: described(z.array(ownedAddress), 'The addresses of this page, oldest first.'),
  total: described(z.int().nonnegative(), 'Number of addresses that match, on all pages.'),
  nextCursor: described(z.string().nullable(), '`cursor` of the next page; null after the last.'),
  checkedChainIds: described(z.array(chainId), 'Chains whose activity and balances are included.'),
})

export const dappAddressesQuery = parameters({
  paginateBy: described(z.string().max(32).optional(), 'Accepted and ignored: there is one order.'),
  limit,
  offset: described(
    z.int().min(0).max(1_000_000).optional(),
    'Entries to leave out at the beginning; 0 unless given.',
  ),
})

const dappAddress = shape('DappAddress', 'An app, and an address that it was shown.', {
  address: described(address, 'The account’s address that the app was shown.'),
  app: usedApp,
  lastUsedAt: described(moment, 'When the app was last shown the address.'),
})

export const dappAddressPage = shape('DappAddressPage', 'A page of apps and the addresses they were shown.', {
  items: described(z.array(dappAddress), 'The entries of this page, the latest use first.'),
  hasMore: described(z.boolean(), 'True when another page follows.'),
})

export const ownershipQuery = parameters({
  address: described(address, 'The address to ask about, of the account or anybody else.'),
})
export const ownership = shape('AddressOwnership', 'Whether the address is the account’s.', {
  owned: described(z.boolean(), 'True for a one-time address of the account.'),
})

export const paymentAddressBody = shape('PaymentAddressRequest', 'An empty object; may be left out.', {})
