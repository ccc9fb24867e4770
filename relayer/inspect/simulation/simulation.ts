import type { Address, Hex } from 'viem'

/** Calls to simulate, in order, all or nothing. */
export interface SimulationRequest {
  chainId: number
  /** The caller: any address. */
  from: Address
  /** `value` in wei. */
  calls: readonly { to: Address; value: bigint; data: Hex }[]
}

/** A movement of an asset, or an approval to move it. */
export interface SimulatedChange {
  /** Index of the call that made it. */
  callIndex: number
  type: 'transfer' | 'mint' | 'burn' | 'approval' | 'approval_for_all'
  standard: 'native' | 'erc20' | 'erc721' | 'erc1155'
  /** The zero address is the native coin; unknown members are null. */
  token: { address: Address; symbol: string | null; decimals: number | null; name: string | null }
  /** The owner, for an approval. */
  from: Address
  /** The spender, for an approval. */
  to: Address
  /** In whole tokens, for people; null if the decimals are unknown. */
  amount: string | null
  /** Smallest unit. */
  rawAmount: bigint
  /** Id of one token of a collection. */
  tokenId: bigint | null
  /** True for an approval that exceeds any possible amount. */
  unlimited: boolean
}

/** Warnings for people before they sign. */
export const WARNINGS = {
  UNLIMITED_APPROVAL: 'A spender may take all of a token, now and later.',
  APPROVAL_TO_KEY: 'Leave is given to an address without code: to a person, not to a contract.',
  OPERATOR_APPROVAL: 'An operator may take every token of a collection, now and later.',
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

/** A warning and its address; null if it concerns the whole simulation. */
export interface SimulationWarning {
  code: WarningCode
  address: Address | null
}

/**
 * The predicted result of the calls. Exactly one of three holds: `success`, a failure with `failureReason`, or
 * unknown with `error`.
 */
export interface Simulation {
  success: boolean
  provider: string
  gasUsed: bigint | null
  failureReason: string | null
  error: string | null
  /** True if every balance and allowance was compared, and nothing else moved. */
  assetChangesComplete: boolean
  assetChanges: readonly SimulatedChange[]
  warnings: readonly SimulationWarning[]
  /** Number of the simulated block; null if the node does not report it. */
  blockNumber: bigint | null
}

/** Simulates calls. Nothing about them is stored or logged. */
export interface Simulations {
  /**
   * Runs the calls on the newest state, one simulation of an account at a time.
   * @throws ServiceError `bad-request` CHAIN_NOT_SUPPORTED, `unavailable` SERVER_BUSY if no node answers or the queue
   * is full.
   */
  simulate(accountId: string, request: SimulationRequest): Promise<Simulation>
}
