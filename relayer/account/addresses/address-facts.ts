import type { Address } from 'viem'

/** The visible amount of one token at an address. */
export interface AddressBalance {
  chainId: number
  token: Address
  /** In the token's smallest unit. */
  amount: bigint
  tokenSymbol: string
  decimals: number
  logoUrl: string | null
  /** Null without a price. */
  usdAmount: number | null
}

/** The observable facts of one address on the watched chains. */
export interface AddressFact {
  hasActivity: boolean
  activityCount: number
  hasPendingActivity: boolean
  hasBalance: boolean
  /** Empty unless the caller asked for them. */
  balances: readonly AddressBalance[]
  totalUsdBalance: number | null
}

/** Reads the facts of addresses beyond their derivation, a page at a time. */
export interface AddressFactReader {
  /** Returns facts by address; an address without an entry has never been seen on any chain. */
  read(
    addresses: readonly Address[],
    options: { accountId: string; includeBalances: boolean },
  ): Promise<{
    facts: ReadonlyMap<Address, AddressFact>
    /** The chains that were checked. */
    checkedChainIds: readonly number[]
  }>
}

/** The facts of an address that has never been seen. */
export const NO_FACTS: AddressFact = {
  hasActivity: false,
  activityCount: 0,
  hasPendingActivity: false,
  hasBalance: false,
  balances: [],
  totalUsdBalance: 0,
}
