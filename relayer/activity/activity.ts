import type { ActivityCursor } from '../../db/activity/account-activity.ts'
import type { Address, Hex } from 'viem'
import type { Price } from '../market/prices/prices.ts'
import type { Token } from '../market/tokens/tokens.ts'
import type { CashProgress } from '../transact/cash-orders/cash-progress.ts'
import type { OrderProgress } from '../transact/orders/order-progress.ts'
import type { ActivityKind } from '../transact/kinds/activity-kinds.ts'
import type { AccountChange } from './account-changes.ts'
import type { Explained, ExplainedItems } from './explained.ts'

/** An amount of a token that moved. */
export interface TokenAmount {
  chainId: number
  tokenAddress: Address
  /** Null for collectibles, and for what no contract describes. */
  token: Token | null
  /** Smallest unit. */
  value: bigint
  /** Of today, not of then. */
  price: Price | null
}

/** One transfer of an activity. */
export interface ActivityTransfer extends TokenAmount {
  from: Address
  to: Address
  /** Of a collectible. */
  tokenId: bigint | null
  /** Which end is an address of the account; `note`: neither, it is to be paid by a note of the account in a pool. */
  ownEnd: 'from' | 'to' | 'both' | 'note'
}

/** What was given and what was received in exchange. */
export interface ActivitySwap {
  source: TokenAmount
  dest: TokenAmount
  outputRecipient: Address
  /** It is an address of the account. */
  isOwnRecipient: boolean
}

/** What crossed, or is to cross, to another chain. After a refund `dest` is what came back, on the chain that it left. */
export interface ActivityBridge extends ActivitySwap, OrderProgress {
  destChainName: string
  destExplorerTxUrlBase: string | null
  /** As quoted; null where the bridge does not tell. */
  estimatedFillTimeMs: number | null
  /** From when the bridge owes the deposit; null once it was filled, paid back, or never made. */
  refundEligibleAt: Date | null
}

/** What is sold for money through an escrow. Amounts in smallest units of the escrow's token. */
export interface ActivityOffRamp extends CashProgress {
  /** By which clients of the venue know the deposit; null until the escrow has it. */
  peerDepositId: string | null
  /** Page about the deposit; null where the venue has none. */
  peerUrl: string | null
  paymentMethod: string
  source: TokenAmount
  sourceChainName: string
  /** What was put into escrow, or is to be. */
  escrow: TokenAmount
  escrowChainName: string
  /** An estimate: what buyers agreed to pay, and the quoted rate for the rest; null where the token is not known. */
  estimatedFiatAmount: string | null
  /** Part that was sold, 0 to 1. */
  progress: number
  fromIncognito: boolean
  route: { steps: readonly { id: string; label: string }[]; description: string }
  /** Null where none was taken. */
  serviceFee: TokenAmount | null
}

/** The account's deposit into a pool, or its withdrawal from one. */
export interface ActivityPool {
  poolAddress: Address
  amount: TokenAmount
  /** failed: it was never made. cancelled: it was taken back before a decision. */
  aspStatus: 'pending' | 'approved' | 'declined' | 'failed' | 'cancelled'
  /** The deposit's label, as decimal digits; before there is one, the quote's id and the place of its intent. */
  commitmentId: string
  /** What the Entrypoint kept of the deposit; null where it is not known. */
  vettingFee: bigint | null
  /** What the service took for the deposit; null where it took nothing. */
  depositFee: bigint | null
}

/** The app that asked for a transaction. */
export interface ActivityApp {
  origin: string
  iconUrl: string | null
  /** The operator listed exactly this origin. */
  verified: boolean
  /** What the user was shown. */
  description: string | null
  /** The account's address that the app knows. */
  connectedAddress: Address | null
  /** The transaction also delegated that address for the first time. */
  isAccountSetup: boolean
}

/** One call that the account made; `value` in wei. */
export interface ActivityCall {
  to: Address
  value: bigint
  data: string
}

/** One transaction that touched addresses of the account. */
export interface ActivityItem {
  /** Null for a spend from a pool none of whose withdrawals was relayed. */
  txHash: Hex | null
  /** Of all transactions that carried it, in the order of its actions. */
  txHashes: readonly Hex[]
  /** The quote that sent it; null for transactions that came from elsewhere. */
  quoteId: string | null
  chainId: number
  chainName: string
  explorerTxUrlBase: string | null
  date: Date
  kind: ActivityKind
  /** pending: what it sent to another chain is under way. manual_review: a note was spent otherwise than was told. */
  executionStatus: 'pending' | 'succeeded' | 'partial' | 'failed' | 'manual_review'
  /** An address of the account signed the transaction itself. */
  isExternal: boolean
  isLikelySpam: boolean
  /** What the account paid for it. */
  fees: readonly TokenAmount[]
  /** The service fee in basis points of the sent amount; null without a quote. */
  platformFeeBps: number | null
  fundingAddresses: readonly Address[]
  /** Those from or to addresses of the account, in the order of the chain; a hundred at most. */
  transfers: readonly ActivityTransfer[]
  /** The transaction has more of them. */
  hasMoreTransfers: boolean
  swap: ActivitySwap | null
  bridge: ActivityBridge | null
  offRamp: ActivityOffRamp | null
  pool: ActivityPool | null
  /** Null where no app asked for it. */
  app: ActivityApp | null
  /** What a call of an app, or of the account by itself, called; null for other kinds, and where it is not known. */
  calls: readonly ActivityCall[] | null
}

/** A page of activity, newest first; `nextCursor` is null at the end. */
export interface ActivityPage extends ExplainedItems<ActivityItem> {
  nextCursor: ActivityCursor | null
}

/** A search of activity that involves one address. */
export interface ActivitySearch {
  /** Directly involved: an address of the account or somebody else's. */
  address: Address
  hideLikelySpam: boolean
  hideExternal: boolean
  limit: number
  cursor: ActivityCursor | undefined
  summary: boolean
}

/** What happened at the addresses of accounts. Every accountId here has been checked to be the caller's. */
export interface Activity {
  /** Newest first. Filtered items do not count against the limit. */
  list(
    accountId: string,
    query: { limit: number; cursor: ActivityCursor | undefined; hideLikelySpam: boolean },
  ): Promise<ActivityPage>
  search(
    accountId: string,
    query: ActivitySearch,
  ): Promise<ActivityPage & { summary: { interactionCount: number; chainIds: number[] } | null }>
  /**
   * Yields each activity that is new from now on, while there are changes. All followers of an account share what is read
   * after a change.
   */
  follow(accountId: string, changes: AsyncGenerator<AccountChange>): AsyncGenerator<Explained<ActivityItem>>
}
