import type { Address } from 'viem'

/** What an address holds of one token, visibly. */
export interface AddressBalance {
  chainId: number
  token: Address
  /** In the smallest unit. */
  amount: bigint
  tokenSymbol: string
  decimals: number
  logoUrl: string | null
  /** Null without a price. */
  usdAmount: number | null
}

/** What the watched chains show about one address. */
export interface AddressFact {
  hasActivity: boolean
  activityCount: number
  hasPendingActivity: boolean
  hasBalance: boolean
  /** Empty unless the caller asked for them. */
  balances: readonly AddressBalance[]
  totalUsdBalance: number | null
}

/** What is known of addresses beyond their derivation, read for one page at a time. */
export interface AddressFactReader {
  /** Facts by address of the account; one without an entry has never been seen on any chain. */
  read(
    addresses: readonly Address[],
    options: { accountId: string; includeBalances: boolean },
  ): Promise<{
    facts: ReadonlyMap<Address, AddressFact>
    /** The chains that were looked at. */
    checkedChainIds: readonly number[]
  }>
}

/** Of an address that has never been seen. */
export const NO_FACTS: AddressFact = {
  hasActivity: false,
  activityCount: 0,
  hasPendingActivity: false,
  hasBalance: false,
  balances: [],
  totalUsdBalance: 0,
}
