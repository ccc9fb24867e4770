type Hex = `0x${string}`

/** Replaces parts of one account's state for a simulation; absent members stay as they are. */
export interface StateOverride {
  balance?: bigint
  nonce?: bigint
  code?: Hex
  /** The whole storage, as 32-byte words by 32-byte keys; the rest of it is zero. */
  state?: Readonly<Record<Hex, Hex>>
  /** Single words of the storage. */
  stateDiff?: Readonly<Record<Hex, Hex>>
}
/** The overrides of a simulation by address. */
export type StateOverrides = Readonly<Record<Hex, StateOverride>>

/** An EIP-7702 authorization whose signature need not exist yet. */
export interface SimulatedAuthorization {
  /** The account that gets the code. */
  authority: Hex
  /** Contract to delegate to; the zero address ends a delegation. */
  address: Hex
  /** 0 for every chain. */
  chainId: number
  nonce: bigint
}

/** EIP-1559 fees of a transaction, wei per gas. */
export interface SimulatedFees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Prediction of the block of a transaction sent now. */
export interface SimulatedBlock {
  number: bigint
  /** Seconds. */
  timestamp: bigint
  /** Wei per gas. */
  baseFeePerGas: bigint
  /** Wei per gas of blobs; null where the chain does not report it. */
  blobBaseFee: bigint | null
  coinbase: Hex
  /** Null on chains that have a difficulty instead. */
  prevRandao: Hex | null
}

/** Balances that are read before and after a simulated call, in the same simulated block. */
export interface Watch {
  owners: readonly Hex[]
  /** Of each owner; null is the chain's own coin. */
  tokens: readonly (Hex | null)[]
  /** The owners whose balance changes must equal the logs of a node's run exactly. */
  explain: readonly Hex[]
}

/** The change of an owner's balance of a token by a run, from the token's own reports before and after. */
export interface BalanceChange {
  owner: Hex
  /** Null is the chain's own coin. */
  token: Hex | null
  /** In the smallest unit; null where the token returns no balance. */
  change: bigint | null
}

/** A call to simulate, with its nodes and conditions. Amounts are in wei. */
export interface SimulateJob {
  /** JSON-RPC addresses of one chain, tried in order. */
  rpcUrls: readonly string[]
  /** `to` is null for a creation. `gas` is the gas limit that the transaction will have, authorizations included. */
  call: { from: Hex; to: Hex | null; data: Hex; value: bigint; gas: bigint }
  /**
   * Fees that the transaction will be signed with; the sender must be able to pay `gas` at `maxFeePerGas`. Without fees the
   * gas price is 0, which a contract may notice.
   */
  fees?: SimulatedFees | undefined
  /**
   * Origin and gas price that our EVM shows to contracts, instead of the sender and the price of `fees`; this price is not
   * charged.
   */
  seen?: { origin: Hex; gasPrice: bigint } | undefined
  /** The block that it will be in; without one the nodes and the EVM guess. */
  block?: SimulatedBlock | undefined
  /** ABIs in the JSON form whose errors may come back; decoded into `revert.name`. */
  errorAbi: readonly unknown[]
  /** Wall-clock limit in milliseconds. */
  timeoutMs: number
  /**
   * The simulator of the call, on the state after the newest block. `node` (the default): one round trip shows success and
   * gas. Our EVM replaces a node that has only `eth_call`. `evm`: our EVM, which also reports the asset movements and
   * whether they are complete. A node replaces it where it cannot run the call.
   */
  prefer?: 'node' | 'evm'
  /**
   * Balances that the outcome reports. Our EVM runs the call, as if it were preferred, where a node's logs do not explain
   * them as required. It also does so where the node cannot read them in the simulated block.
   */
  watch?: Watch | undefined
  /** Requests a {@link CallAudit} from our EVM: further facts of the call for people. */
  audit?: true | undefined
  stateOverrides?: StateOverrides
  authorizations?: readonly SimulatedAuthorization[]
}

/** The reason of a failed simulated call. */
export interface RevertReason {
  /** Name of the custom error, `Error` or `Panic`; null when the data is unknown. */
  name: string | null
  /** Readable text: the arguments of the error or the raw data. */
  text: string
}

/** One movement of one asset. Minted from and burnt to the zero address. */
export interface AssetChange {
  type: 'native' | 'erc20' | 'erc721' | 'erc1155'
  /** Its contract; null for the chain's own coin. */
  token: Hex | null
  from: Hex
  to: Hex
  /** Of ERC-721 and ERC-1155. */
  tokenId: bigint | null
  /** In the asset's smallest unit; 1 for ERC-721. */
  amount: bigint
}

/** Findings of our EVM beside the movements. */
export interface CallAudit {
  approvals: readonly ApprovalChange[]
  /** Every allowance afterwards is what the logs reported. */
  approvalsHold: boolean
  /** The call read the origin, the gas price, the proposer or randomness, which differ on chain. */
  readsEnvironment: boolean
}

/** A permission to take assets of an owner, or its end. */
export interface ApprovalChange {
  /** approval_for_all: of every token of a collection; `amount` is 1 for a grant, 0 for a withdrawal. */
  type: 'approval' | 'approval_for_all'
  /** The event of `approval_for_all` does not reveal whether the collection is one of ERC-721 or ERC-1155. */
  standard: 'erc20' | 'erc721'
  token: Hex
  owner: Hex
  spender: Hex
  /** Of one token of a collection. */
  tokenId: bigint | null
  /** In the asset's smallest unit. */
  amount: bigint
  /** The contract that stores the allowance in the token's place: Permit2. */
  via: Hex | null
}

/** Calls to simulate one after another on the state after the newest block, each as a transaction without a gas price. */
export interface SimulateCallsJob {
  rpcUrls: readonly string[]
  from: Hex
  /** `value` in wei. */
  calls: readonly { to: Hex; data: Hex; value: bigint }[]
  stateOverrides?: StateOverrides
  /** Wall-clock limit in milliseconds. */
  timeoutMs: number
}

/** The calls' effects as a node reports them, unverified. */
export interface CallsOutcome {
  provider: 'rpc-simulate'
  /** The block in which they were run, where the node reports it. */
  blockNumber: bigint | null
  /**
   * One for each call. A single failed one where the node refused to run them; none where the answer is too long to be read.
   */
  calls: readonly {
    success: boolean
    /** Of the whole transaction; null where it was not run. */
    gasUsed: bigint | null
    /** Data that a failed call returned. */
    revertData: Hex
    /** The node's message for a failure. */
    message: string
    /** The call failed after it used nearly all the gas of a block: with more gas it might succeed. */
    usedAllGas: boolean
    changes: readonly AssetChange[]
    approvals: readonly ApprovalChange[]
    /** Every log that looks like a movement or an approval could be read, and is included: 1,024 of all calls are. */
    isWhole: boolean
  }[]
}

/** The end of a simulated call. A revert is an outcome, not an error; gas is that of the whole transaction. */
export type SimulateOutcome =
  | {
      success: true
      /** `evm`, or the method by which a node was asked: `rpc-simulate`, `rpc-trace`, `rpc-call`. */
      provider: string
      gasUsed: bigint
      logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[]
      /** Data that the call returned, or the code of the contract that it created; cut at 64 KiB. */
      returnData: Hex
      /** Without fees. */
      assetChanges: readonly AssetChange[]
      /** True only where the changes were checked against balances before and after. */
      assetChangesComplete: boolean
      /** Reads by which the call could detect a simulation, if `audit` requests it and our EVM ran the call. */
      audit?: CallAudit | undefined
      /** True where at least the changes of the owners to be explained were checked so; as above where our EVM ran it. */
      watchedChangesComplete: boolean
      /** The watched balances, owner by owner; null where there are none, or where they could not be read. */
      watched: readonly BalanceChange[] | null
      /** Milliseconds of CPU of our EVM, if `audit` requests it; absent where a node ran the call. */
      cpuMs?: number
    }
  | {
      success: false
      provider: string
      gasUsed: bigint | null
      revert: RevertReason
      /** The simulation was given up over this limit: the end of the call is unknown. */
      limit?: 'time' | 'fetches' | 'frames'
      /** As above. */
      cpuMs?: number
    }
