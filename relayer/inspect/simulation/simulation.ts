import type { Address, Hex } from 'viem'

/** Calls to simulate, in their order, all or nothing. */
export interface SimulationRequest {
  chainId: number
  /** Who calls: any address. */
  from: Address
  /** `value` in wei. */
  calls: readonly { to: Address; value: bigint; data: Hex }[]
}

/** One movement of an asset, or leave to move it. */
export interface SimulatedChange {
  /** Of the call that made it. */
  callIndex: number
  type: 'transfer' | 'mint' | 'burn' | 'approval' | 'approval_for_all'
  standard: 'native' | 'erc20' | 'erc721' | 'erc1155'
  /** The zero address is the native coin; what is not known of it is null. */
  token: { address: Address; symbol: string | null; decimals: number | null; name: string | null }
  /** Of an approval: the owner. */
  from: Address
  /** Of an approval: who may take it. */
  to: Address
  /** For people, by the token's decimals; null where these are not known. */
  amount: string | null
  /** Smallest unit. */
  rawAmount: bigint
  /** Of one token of a collection. */
  tokenId: bigint | null
  /** An approval without a limit that anybody could reach. */
  unlimited: boolean
}

/** What people should know before they sign. */
export const WARNINGS = {
  UNLIMITED_APPROVAL: 'Somebody may take all of a token, now and later.',
  APPROVAL_TO_KEY: 'Leave is given to an address without code: to a person, not to a contract.',
  OPERATOR_APPROVAL: 'Somebody may take every token of a collection, now and later.',
  CALL_TO_NO_CODE: 'There is no contract that could read the calldata.',
  SPAM_TOKEN: 'A token that moves is likely spam.',
  LOOKALIKE_RECIPIENT: 'A recipient imitates an address that the account knows.',
  LINKS_OWN_ADDRESSES:
    'Something moves between two addresses of the account: anybody can see then that they belong together.',
  ENVIRONMENT_READ:
    'The call asks for what differs between a simulation and the chain: it may end otherwise.',
  SELF_CALL: 'The address calls itself, which may change who controls it.',
  NOT_CHECKED:
    'Balances and allowances were not compared, because much is checked now: try again in a minute, or trust the node alone.',
} as const

/** The name of a warning. */
export type WarningCode = keyof typeof WARNINGS

/** A warning, and the address that it is about; null where it is about the whole. */
export interface SimulationWarning {
  code: WarningCode
  address: Address | null
}

/**
 * How the calls would end: `success`; would fail, with `failureReason`; or not known, with `error`. Never two of them.
 */
export interface Simulation {
  success: boolean
  provider: string
  gasUsed: bigint | null
  failureReason: string | null
  error: string | null
  /** Every balance and allowance was compared, and nothing else moved. */
  assetChangesComplete: boolean
  assetChanges: readonly SimulatedChange[]
  warnings: readonly SimulationWarning[]
  /** Of the block in which it was run, where the node tells. */
  blockNumber: bigint | null
}

/** Shows what calls would do. Nothing is stored or logged of them. */
export interface Simulations {
  /**
   * Runs the calls on the newest state. One of an account runs at a time.
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, `unavailable` SERVER_BUSY when no node answers or the queue is full.
   */
  simulate(accountId: string, request: SimulationRequest): Promise<Simulation>
}
