import type { Address, Hex } from 'viem'

/** Where money came from outside: `receive` in the open, `private` out of a pool; at one of the account's addresses. */
export type SourceKind = 'receive' | 'private'
/** A source by the address that it arrived at. */
export type SourceId = `${SourceKind}:${Address}`
/** Funds from before the service issued the address, or that came in ways that no node shows. */
export const OLDER = 'older'
/** More sources than are kept apart. */
export const TOO_MANY = 'too many'
/** Where a part of a holding comes from in the end. */
export type Root = SourceId | typeof OLDER | typeof TOO_MANY

/** Names the source of money that arrives at an address of the account. */
export const sourceOf = (kind: SourceKind, address: Address): SourceId => `${kind}:${address}`

/** One transfer from or to an address of the account. */
export interface Movement {
  from: Address
  to: Address
  /** The zero address is the native coin. */
  token: Address
  /** Smallest unit. */
  amount: bigint
  /** Of the log in its block, or of the call in the transaction's trace. */
  index: number
  /** Spam, nothing, or worth less than anybody asks for: it is counted and never a source. */
  isUnsolicited: boolean
}

/** A payment that an Entrypoint made out of a pool, as matched with its event. */
export interface RelayedPayment {
  entrypoint: Address
  token: Address
  /** What arrived, smallest unit. */
  received: bigint
}

/** A transaction that moved something from or to addresses of the account. */
export interface MovingTransaction {
  /** Differs between chains; the parts of one transaction have the same. */
  id: string
  chainId: number
  /** Null for what the consensus layer paid out. */
  txHash: Hex | null
  movements: readonly Movement[]
  relayed: readonly RelayedPayment[]
  /** Deposits that their depositor took back, by the id of the transaction that had made them; null where it is not known. */
  recovered: readonly { depositor: Address; depositedBy: string | null }[]
  /** What it was for the account where a quote of the account made it: a kind of activity. */
  action: string | null
  /** Addresses that it paid before the service had issued them: funds that arrived there are older. */
  early?: ReadonlySet<Address>
  /** Orders that left by it: what arrives under the same id on another chain is the same money. */
  departs: readonly string[]
  /** Orders that arrived by it, or came back, and at which address; whoever delivers may pay others as well. */
  delivers: readonly { orderId: string; to: Address }[]
}
