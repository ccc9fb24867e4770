import { z } from 'zod'
import { amount, chainId, dollars, moment } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'
import { chainName, decimals, logoUrl, tokenAddress, tokenSymbol } from './describe-balance.ts'

const usd = dollars.nonnegative().nullable()

/** The price at which a balance is valued. */
export const pricePerToken = described(usd, 'US dollars per whole token; null without a price.')
export const priceStale = described(
  z.boolean(),
  'True when the price is older than it should be and no newer one is known.',
)
export const priceObservedAt = described(
  moment.nullable(),
  'When the price was observed; null without a price.',
)

const visibleBalance = shape('VisibleBalance', 'Amount at the account’s addresses, in the smallest unit.', {
  available: described(amount, 'Amount that can be spent now, in the smallest unit.'),
  pending: described(amount, 'Amount that quotes have reserved or that is being sent, in the smallest unit.'),
})

const pooledBalance = shape(
  'PooledBalance',
  'Amount that pools hold for the account, in the smallest unit.',
  {
    available: described(amount, 'Approved deposits that can be withdrawn now.'),
    pendingApproval: described(amount, 'Deposits that the association set provider has not decided on yet.'),
    pendingWithdrawal: described(
      amount,
      'Approved deposits that a pending withdrawal has locked; still the account’s.',
    ),
    declined: described(amount, 'Refused deposits; they can be recovered to the visible balance.'),
  },
)

/** An account's balance of one token on one chain. */
export const balanceEntry = shape('Balance', 'An account’s balance of one token on one chain.', {
  chainId,
  chainName,
  token: described(tokenAddress, 'Contract of the token; the zero address is the native coin.', {
    graph: { name: 'tokenAddress' },
  }),
  tokenSymbol,
  decimals,
  logoUrl,
  visible: visibleBalance,
  incognito: shape('IncognitoBalance', 'Funds that an observer cannot connect with the account.', {
    pooled: pooledBalance,
  }),
  usdAmount: described(
    usd,
    'Value of the visible balance in US dollars; null when there is one and no price.',
  ),
  pricePerToken,
  priceStale,
  priceObservedAt,
  spam: described(z.boolean(), 'True when the token looks like spam or phishing.'),
})
