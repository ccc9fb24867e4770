import type { ActivityCursor } from '../../db/activity/account-activity.ts'
import type { WantedActivity } from '../../db/activity/find-place.ts'
import type { Address, Hex } from 'viem'
import type { Price } from '../market/prices/prices.ts'
import type { Token } from '../market/tokens/tokens.ts'
import type { CashProgress } from '../transact/cash-orders/cash-state.ts'
import type { OrderProgress } from '../transact/orders/order-state.ts'
import type { ActivityKind } from '../transact/kinds/quote-kind.ts'
import type { AccountChange } from './account-changes.ts'
import type { Origin, SourceGroup } from '../account/provenance/provenance.ts'

/** A moved amount of a token. */
export interface TokenAmount {
  chainId: number
  tokenAddress: Address
  /** Null for collectibles, and for tokens without metadata. */
  token: Token | null
  /** Smallest unit. */
  value: bigint
  /** The present price, not that of the transfer's time. */
  price: Price | null
}

/** One transfer of an activity. */
export interface ActivityTransfer extends TokenAmount {
  from: Address
  to: Address
  /** Id of a collectible; else null. */
  tokenId: bigint | null
  /** The ends that are addresses of the account. `note`: none; a note of the account in a pool pays it. */
  ownEnd: 'from' | 'to' | 'both' | 'note'
}

/** The given and received amounts of an exchange. */
export interface ActivitySwap {
  source: TokenAmount
  dest: TokenAmount
  outputRecipient: Address
  /** True if the recipient is an address of the account. */
  isOwnRecipient: boolean
}

/** An amount that crosses to another chain. After a refund `dest` is the refunded amount, on the origin chain. */
export interface ActivityBridge extends ActivitySwap, OrderProgress {
  destChainName: string
  destExplorerTxUrlBase: string | null
  /** As quoted; null if the bridge gives no estimate. */
  estimatedFillTimeMs: number | null
  /** The time from which the bridge owes the deposit; null once filled or refunded, or if the deposit failed. */
  refundEligibleAt: Date | null
}

/** A sale for money through an escrow. Amounts in smallest units of the escrow's token. */
export interface ActivityOffRamp extends CashProgress {
  /** The venue's id of the deposit; null until the escrow has it. */
  peerDepositId: string | null
  /** Page about the deposit; null if the venue has none. */
  peerUrl: string | null
  paymentMethod: string
  source: TokenAmount
  sourceChainName: string
  /** The amount in escrow, or the one to be deposited. */
  escrow: TokenAmount
  escrowChainName: string
  /** An estimate: the amounts that buyers agreed to, and the quoted rate for the rest; null if the token is unknown. */
  estimatedFiatAmount: string | null
  /** The sold part, 0 to 1. */
  progress: number
  fromIncognito: boolean
  route: { steps: readonly { id: string; label: string }[]; description: string }
  /** Null if none was charged. */
  serviceFee: TokenAmount | null
}

/** The account's deposit into a pool, or its withdrawal from one. */
export interface ActivityPool {
  poolAddress: Address
  amount: TokenAmount
  /** `failed`: it was never made. `cancelled`: it was recovered before a decision. */
  aspStatus: 'pending' | 'approved' | 'declined' | 'failed' | 'cancelled'
  /** The deposit's label as decimal digits; before it exists, the quote's id and the place of its intent. */
  commitmentId: string
  /** The Entrypoint's fee for the deposit; null if unknown. */
  vettingFee: bigint | null
  /** The service's fee for the deposit; null if none was charged. */
  depositFee: bigint | null
}

/** The app that requested a transaction. */
export interface ActivityApp {
  origin: string
  iconUrl: string | null
  /** True if the operator listed exactly this origin. */
  verified: boolean
  /** The text that the user was shown. */
  description: string | null
  /** The account's address that the app knows. */
  connectedAddress: Address | null
  /** True if the transaction also delegated that address for the first time. */
  isAccountSetup: boolean
}

/** One call by the account; `value` in wei. */
export interface ActivityCall {
  to: Address
  value: bigint
  data: string
}

/** One transaction that touched addresses of the account. */
export interface ActivityItem {
  /** Null for a spend from a pool without any relayed withdrawal. */
  txHash: Hex | null
  /** Hashes of all its transactions, in the order of its actions. */
  txHashes: readonly Hex[]
  /** The quote that sent it; null for transactions from elsewhere. */
  quoteId: string | null
  chainId: number
  chainName: string
  explorerTxUrlBase: string | null
  date: Date
  kind: ActivityKind
  /** `pending`: its cross-chain part is not finished. `manual_review`: a note was spent otherwise than reported. */
  executionStatus: 'pending' | 'succeeded' | 'partial' | 'failed' | 'manual_review'
  /** True if an address of the account signed the transaction itself. */
  isExternal: boolean
  isLikelySpam: boolean
  /** The fees that the account paid for it. */
  fees: readonly TokenAmount[]
  /** The service fee in basis points of the sent amount; null without a quote. */
  platformFeeBps: number | null
  fundingAddresses: readonly Address[]
  /** Transfers from or to addresses of the account, in the order of the chain; a hundred at most. */
  transfers: readonly ActivityTransfer[]
  /** True if the transaction has more of them. */
  hasMoreTransfers: boolean
  swap: ActivitySwap | null
  bridge: ActivityBridge | null
  offRamp: ActivityOffRamp | null
  pool: ActivityPool | null
  /** Null if no app requested it. */
  app: ActivityApp | null
  /** The calls by an app or by the account itself; null for other kinds, or if unknown. */
  calls: readonly ActivityCall[] | null
}

/** A page of activity, newest first; `nextCursor` is null at the end. */
export interface ActivityPage extends ExplainedItems<ActivityItem> {
  nextCursor: ActivityCursor | null
}

/** A search for activity that involves one address. */
export interface ActivitySearch {
  /** An address of the account or another's, as a direct party. */
  address: Address
  hideLikelySpam: boolean
  hideExternal: boolean
  limit: number
  cursor: ActivityCursor | undefined
  summary: boolean
}

/** The activity of accounts. Every accountId here has been checked to be the caller's. */
export interface Activity {
  /** Lists activity, newest first. Filtered items do not count against the limit. */
  list(
    accountId: string,
    query: { limit: number; cursor: ActivityCursor | undefined; hideLikelySpam: boolean },
  ): Promise<ActivityPage>
  search(
    accountId: string,
    query: ActivitySearch,
  ): Promise<ActivityPage & { summary: { interactionCount: number; chainIds: number[] } | null }>
  /** Finds one activity again; `items` is empty when the account has none such. Pending ones are not found. */
  find(accountId: string, wanted: WantedActivity): Promise<ExplainedItems<ActivityItem>>
  /** Yields each new activity while there are changes. All followers of an account share the read after a change. */
  follow(accountId: string, changes: AsyncGenerator<AccountChange>): AsyncGenerator<Explained<ActivityItem>>
}

/** A transfer with the origin of its money; null if nothing is traced. */
export interface ExplainedTransfer extends ActivityTransfer {
  origin: Origin | null
}

/** An activity with the origins of its money. */
export type Explained<Item extends ActivityItem> = Omit<Item, 'transfers'> & {
  transfers: readonly ExplainedTransfer[]
  /** Origin of the spent amount, or of the arrived one if nothing was spent; null if nothing is traced. */
  sourceOrigin: Origin | null
}

/** Activities, and each group of sources that their origins name, once. */
export interface ExplainedItems<Item extends ActivityItem> {
  items: readonly Explained<Item>[]
  groups: readonly SourceGroup[]
}
