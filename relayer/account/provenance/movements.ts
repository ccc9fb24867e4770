import type { Address, Hex } from 'viem'

/** How money came to one of the account's addresses from outside: `receive` in the open, `private` out of a pool. */
export type SourceKind = 'receive' | 'private'
/** A source, identified by the address that it arrived at. */
export type SourceId = `${SourceKind}:${Address}`
/** Funds from before the service issued the address, or from transfers that no node shows. */
export const OLDER = 'older'
/** Stands for more sources than are kept apart. */
export const TOO_MANY = 'too many'
/** An original source of a lot. */
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
  /** Index of the log in its block, or of the call in the transaction's trace. */
  index: number
  /** True for spam, zero amounts and amounts below the trusted minimum: counted, but never a source. */
  isUnsolicited: boolean
}

/** A payment by an Entrypoint out of a pool, as matched with its event. */
export interface RelayedPayment {
  entrypoint: Address
  token: Address
  /** The received amount, smallest unit. */
  received: bigint
}

/** A transaction that moved funds from or to addresses of the account. */
export interface MovingTransaction {
  /** Differs between chains; all parts of one transaction share it. */
  id: string
  chainId: number
  /** Null for payments by the consensus layer. */
  txHash: Hex | null
  movements: readonly Movement[]
  relayed: readonly RelayedPayment[]
  /** Deposits that their depositor recovered, by the id of the depositing transaction; null if that is unknown. */
  recovered: readonly { depositor: Address; depositedBy: string | null }[]
  /** The kind of activity, if a quote of the account made the transaction; else null. */
  action: string | null
  /** Addresses that it paid before the service had issued them: funds that arrived there are older. */
  early?: ReadonlySet<Address>
  /** Orders that departed by it: funds that arrive under the same id on another chain are the same money. */
  departs: readonly string[]
  /** Orders that it delivered or refunded, with the receiving address; the deliverer may pay others as well. */
  delivers: readonly { orderId: string; to: Address }[]
}

/** Maximum of sources that are kept apart; beyond it the result is {@link TOO_MANY}. */
export const MAX_SOURCES = 64

const OVERFLOW: ReadonlySet<Root> = new Set<Root>([TOO_MANY])
/** The roots of an empty set of lots. */
export const NO_ROOTS: ReadonlySet<Root> = new Set<Root>()
/** The roots of funds from before the known history. */
export const OLDER_ROOTS: ReadonlySet<Root> = new Set<Root>([OLDER])

/** Returns the union of two sets of roots. It is bounded, because every further move processes all of it. */
export function uniteRoots(one: ReadonlySet<Root>, other: ReadonlySet<Root>): ReadonlySet<Root> {
  // Keep the same object if nothing is added: caches find their results by it.
  if (other.isSubsetOf(one)) return one
  if (one.size === 0) return other
  if (one.has(TOO_MANY) || other.has(TOO_MANY)) return OVERFLOW
  const union = one.union(other)
  return union.size > MAX_SOURCES + 1 ? OVERFLOW : union
}
