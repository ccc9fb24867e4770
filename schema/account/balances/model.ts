import { z } from 'zod'
import { accountPath } from '../../define/account-operation.ts'
import { address, amount, chainId, dollars, moment } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'
import { writtenOnce } from '../../define/text-writer.ts'
import { token } from '../../market/tokens/model.ts'
import { balanceEntry, priceObservedAt, pricePerToken, priceStale } from '../../market/balance-entry.ts'
import { chainName, decimals, logoUrl, tokenAddress, tokenSymbol } from '../../market/describe-balance.ts'
import { derivationNonce, usedApp } from '../addresses/model.ts'
import { knownApp } from '../apps/operations.ts'
import { provenance } from '../provenance/model.ts'
import { provenanceLabelGroups } from '../provenance/source-model.ts'
import { receiveSummary } from '../receive-summary.ts'

const count = z.int()
const usd = dollars.nonnegative()

export const chainPath = parameters({ ...accountPath.shape, chainId })
export const tokenPath = parameters({ ...chainPath.shape, token: tokenAddress })

const pricing = shape('Pricing', 'How well balances are priced.', {
  nonZeroAssetCount: described(count, 'Number of balances that are not zero.'),
  pricedAssetCount: described(count, 'Number of those balances that have a price.'),
  unpricedAssetCount: described(count, 'Number of those balances that have no price.'),
  oldestPriceObservedAt: described(
    moment.nullable(),
    'When the oldest of the prices was observed; null without any price.',
  ),
  newestPriceObservedAt: described(
    moment.nullable(),
    'When the newest of the prices was observed; null without any price.',
  ),
})

const feeWaiverSource = described(
  z.enum(['activation', 'collectible']),
  'activation: the offer to new accounts. collectible: one that was deposited.',
  { id: 'FeeWaiverSource' },
)

const feeWaiver = shape('FeeWaiver', 'No service fees while it is active.', {
  active: described(z.boolean(), 'True while the account pays no service fees.'),
  source: described(feeWaiverSource.nullable(), 'The reason for the waiver; null while inactive.'),
  activeUntil: described(
    moment.nullable(),
    'When the waiver ends; null while inactive, and for a waiver without an end.',
  ),
})

export const balanceSheet = shape('BalanceSheet', 'Balances, and what they are worth.', {
  balances: described(z.array(balanceEntry), 'One entry per token and chain.'),
  totalUsdAmount: described(
    usd.nullable(),
    'Sum of what has a price, in US dollars; null when there is something and none of it has a price.',
  ),
  pricing,
  feeWaiver,
})

/** A balance with its token, as GraphQL has it. */
export const heldBalance = shape('Holding', 'What an account has of one token, and the token.', {
  ...balanceEntry.shape,
  of: described(token, 'The token.'),
})
/** The balances with their tokens. */
export const heldSheet = shape('HeldSheet', 'Balances with their tokens, and what they are worth.', {
  ...balanceSheet.shape,
  balances: described(z.array(heldBalance), 'One entry per token and chain.'),
})

export const addressBalancesQuery = parameters({
  purpose: described(z.string().max(64).optional(), 'Accepted and ignored: what the client asks for.'),
  address: described(address.optional(), 'Only what this address of the account holds.'),
  chainId: described(chainId.optional(), 'Only what is held on the chain with this EIP-155 id.'),
  token: described(
    address.optional(),
    'Only what is held of this token; the zero address is the native coin.',
  ),
  dappOrigin: described(
    z.string().max(2_048).optional(),
    'Origin of an app: addresses that it was shown come with `recentlyUsedByDapp`.',
  ),
  limit: described(
    z.int().min(1).max(1_000).optional(),
    'Number of addresses in the answer; all of them unless given.',
  ),
  offset: described(
    z.int().nonnegative().max(1_000_000).optional(),
    'Number of addresses to leave out at the beginning; 0 unless given.',
  ),
})

const held = {
  chainId,
  chainName,
  token: tokenAddress,
  tokenSymbol,
  decimals,
  logoUrl,
  amount: described(amount, 'Amount that the address holds, available and pending, in the smallest unit.'),
  available: described(amount, 'Amount that can be spent now, in the smallest unit.'),
  pending: described(amount, 'Amount that quotes have reserved, in the smallest unit.'),
  usdAmount: described(usd.nullable(), 'Value of `amount` in US dollars; null without a price.'),
  pricePerToken,
  priceStale,
}

const usedOrigins = described(
  z.array(z.string()),
  'Origins (scheme, host and port) of the apps that were shown this address.',
)

const addressBalance = shape('AddressBalance', 'The balance of one token at an address, and its receipts.', {
  ...held,
  priceObservedAt,
  listed: described(
    z.boolean(),
    'True for a token in the token list and for one that the operator configured.',
  ),
  idCount: described(count, 'How often this address received the token.'),
  addressSummary: receiveSummary,
  provenance,
  lastReceivedAt: described(
    moment.nullable(),
    'When the address last received the token; null when no receipt of it is known.',
  ),
})

export const addressEntry = shape('AddressBalances', 'A one-time address and what it has.', {
  address: described(address, 'The one-time address of the account.'),
  nonce: derivationNonce,
  lastPrivatelyFundedAt: described(
    moment.nullable(),
    'When a withdrawal from a pool last paid the address; null when none did.',
  ),
  usedOrigins,
  usedApps: described(z.array(usedApp), 'The apps that were shown this address.'),
  recentlyUsedByDapp: described(z.boolean(), 'True when the app of `dappOrigin` was shown this address.'),
  totalUsdBalance: described(
    usd.nullable(),
    'Value of all that the address holds in US dollars; null when nothing of it has a price.',
  ),
  balances: described(z.array(addressBalance), 'One entry per token and chain.'),
})

export const addressBalances = writtenOnce(
  shape('AddressBalancesPage', 'Addresses and what they have.', {
    provenanceLabelGroups,
    dapp: described(
      knownApp.nullable(),
      'The facts known about the app of `dappOrigin`; null when none was given.',
    ),
    addresses: described(
      z.array(addressEntry),
      'Addresses that hold something, in the order in which they were made.',
    ),
    total: described(count, 'Number of such addresses, whatever `limit` and `offset` are.'),
  }),
)

const fundedBalance = shape('FundedBalance', 'The balance of one token at an address.', held)

const fundedAddress = shape('FundedAddress', 'A one-time address that holds something.', {
  address: described(address, 'The one-time address of the account.'),
  nonce: derivationNonce,
  usedOrigins,
  balances: described(z.array(fundedBalance), 'One entry per token and chain.'),
})

export const fundedAddresses = writtenOnce(
  shape('FundedAddresses', 'All addresses that hold something.', {
    addresses: described(z.array(fundedAddress), 'In the order in which they were made.'),
  }),
)
