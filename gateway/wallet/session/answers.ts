import type { Address, Hex } from 'viem'

// Answers to the documents. Amounts are decimal strings of the smallest unit.

export interface BalanceEntry {
  id: string
  chainId: number
  chainName: string
  tokenAddress: Address
  tokenSymbol: string
  decimals: number
  logoUrl: string | null
  available: string
  pending: string
  pooled: string
  pooledPendingApproval: string
  pooledPendingWithdrawal: string
  pooledDeclined: string
  pricePerToken: string | null
  priceStale: boolean
  usdAmount: string | null
  spam: boolean
}

export interface ActivityEntry {
  id: string
  kind: string
  state: 'in_flight' | 'indexed' | 'failed'
  executionStatus: string
  date: string
  chainId: number
  amount: string | null
  usdAmount: string | null
  from: Address | null
  to: Address | null
  txHash: Hex | null
  explorerTxUrlBase: string | null
  failureReason: string | null
  isLikelySpam: boolean
  token: { symbol: string; decimals: number; address: Address } | null
  chain: { name: string } | null
  transfers: { value: string; tokenSymbol: string; decimals: number; toAddress: Address }[]
  fees: { value: string; tokenSymbol: string; decimals: number }[]
  /** Of a sale for money. */
  offRamp: Pick<CashOutEntry, 'paymentMethod' | 'phase' | 'estimatedFiatAmount'> | null
}

/** How a sale for money stands; amounts in the smallest unit of the token in escrow. */
export interface CashOutEntry {
  peerDepositId: string | null
  paymentMethod: string
  phase: string
  filled: string
  remaining: string
  outstanding: string
  escrowAmount: string
  escrowChainId: number
  escrowTokenAddress: Address
  escrowTokenSymbol: string
  escrowDecimals: number
  estimatedFiatAmount: string | null
}

export interface CashOutsAnswer {
  account: { activities: { nodes: { id: string; date: string; offRamp: CashOutEntry | null }[] } } | null
}

export interface HomeAnswer {
  account: {
    id: string
    balances: { totalUsdAmount: string | null; nodes: BalanceEntry[] }
    activities: { nodes: ActivityEntry[] }
    pendingActivities: ActivityEntry[] | null
    depositReviewSummary: { needsReviewCount: number } | null
  } | null
}

/** A payment with what its details show. */
export interface HistoryEntry extends ActivityEntry {
  /** Null where the account submitted no quote for it. */
  quoteId: string | null
  /** Where the money came from, in English. */
  sourceProvenance: { display: { fundingLabel: string | null; associationLabel: string | null } } | null
}

export interface HistoryAnswer {
  account: {
    activities: { nodes: HistoryEntry[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }
  } | null
}

export interface OwnNameAnswer {
  account: { subdomain: string | null } | null
}

export interface ContactEntry {
  id: string
  name: string
  address: Address
}

export interface ContactsAnswer {
  account: { contacts: { nodes: ContactEntry[] } } | null
}

export interface TokenEntry {
  id: string
  address: Address
  symbol: string
  decimals: number
}

export interface TokensAnswer {
  tokenCatalog: { tokens: TokenEntry[] } | null
}

/** A pool; `minDeposit` in the smallest unit of its token. */
export interface PoolEntry {
  id: string
  chainId: number
  chainName: string
  token: Address
  tokenSymbol: string
  decimals: number
  logoUrl: string | null
  minDeposit: string
  asp: { name: string; policyUrl: string | null }
}

export interface PoolsAnswer {
  supportedPools: PoolEntry[] | null
}

/** A deposit in a pool, or what is left of it. */
export interface NoteEntry {
  id: string
  /** The one that REST and quotes know it by. */
  commitmentId: string
  withdrawalIndex: number
  /** Null while the deposit is on its way. */
  label: string | null
  value: string
  aspStatus: 'pending' | 'approved' | 'declined' | 'failed'
}

export interface PoolNotesAnswer {
  account: { commitments: { nodes: NoteEntry[] } | null } | null
}

/** An address that was paid. */
export interface ArrivalEntry {
  id: string
  address: Address
  lastReceivedAt: string
  rawReceiveCount: number
  assets: ArrivedAsset[]
}

export interface ArrivedAsset {
  id: string
  chainId: number
  chainName: string
  tokenAddress: Address
  tokenSymbol: string
  decimals: number
  logoUrl: string | null
  amount: string
  /** A pool takes it now. */
  canConvert: boolean
}

export interface ArrivalsAnswer {
  account: { review: { nodes: ArrivalEntry[] } | null } | null
}

/** An app, and the address that it knows. */
export interface AppEntry {
  address: Address
  lastUsedAt: string
  node: { origin: string }
}

export interface AppsAnswer {
  account: { apps: { edges: AppEntry[] } | null } | null
}
