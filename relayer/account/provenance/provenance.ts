import type { Address, Hash } from 'viem'
import type { AccountVersion } from '../../../db/account/changes/account-version.ts'
import type { UsedApp } from '../addresses/addresses.ts'
import type { HoldingOrigin, UnresolvedReason } from './explain-origin.ts'
import type { Price } from '../../market/prices/prices.ts'
import type { TokenKey } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { Receipt } from './lots.ts'
import type { SourceId, SourceKind } from './movements.ts'

/** Sources with the id of their group. */
export interface NamedSources {
  id: string
  sources: readonly Source[]
}

/** A source of money, as shown to the account's owner. */
export interface Source {
  id: SourceId
  kind: SourceKind
  /** The account's address that it arrived at. */
  address: Address
  /** The place of its first arrival; null if unknown. */
  origin: Receipt | null
  /** The owner's tag on the address, encrypted by the client; equal labels have equal keys if the client gives keys. */
  tag: { ciphertext: string; labelKey: string | null; updatedAt: Date } | null
  /** The app that knows the address, if one does. */
  apps: readonly (UsedApp & { lastUsedAt: Date })[]
}

/** Sources that are listed together. Equal sources, or equal labels, have the same id in every answer of one account. */
export interface SourceGroup {
  /** Opaque, and different for each account. */
  id: string
  sourceCount: number
  /** At most 64 of them, in the order of their ids. */
  sources: readonly Source[]
}

/** The place on a chain where funds left a pool. */
export interface PrivateOrigin {
  chainId: number
  txHash: Hash
  /** Index of the log in its block, or of the call in the transaction's trace. */
  index: number
  entrypoint: Address
  pool: Address
  /** Index of the pool's event in its block. */
  poolLogIndex: number
}

/** The origin of money, with its sources described. */
export interface Origin extends HoldingOrigin {
  /** Group of the original sources; null without any. */
  fundingGroupId: string | null
  /** Group of the account's addresses that it came from directly, or arrived at from outside; null without any. */
  directGroupId: string | null
  /** Group of all sources that an observer can join its address with; null without any. */
  associationGroupId: string | null
  /** The sources of these groups. */
  named: readonly NamedSources[]
  /** Number of tagged sources in `association.sources`. */
  userTaggedSourceCount: number
  /** The places where parts of it left a pool. */
  privateOrigins: readonly PrivateOrigin[]
  /** The descriptions of `sources`, in their order. */
  describedSources: readonly Source[]
  /** Its only source; null if it has none or several. */
  onlySource: Source | null
  /** True if all its sources are tagged. */
  isTagged: boolean
}

/**
 * A holding of an address of the account. The token's address is checksummed; the zero address is the native coin. A
 * moved collectible has the token `contract/number`.
 */
export interface HoldingId {
  chainId: number
  address: Address
  token: Address
}

/** Funds that arrived at, or left, an address of the account by a transaction. */
export interface MoveId extends HoldingId {
  txHash: Hash
}

/** Actions that brought an address solicited funds. */
export interface TrustedReceives {
  count: number
  /** Kinds of activity, sorted. */
  types: readonly string[]
}

/** Explained origins, and the groups that they name. */
export interface ExplainedHoldings {
  of(holding: HoldingId): Origin
  /** Counts one token's receives at the address if a token is given, else all. */
  receivesOf(address: Address, token?: HoldingId): TrustedReceives
  groups: readonly SourceGroup[]
}

/** The same for moves in transactions. */
export interface ExplainedMoves {
  /** Returns the origin of funds that arrived at an address. */
  arrived(move: MoveId): Origin
  /** Returns the origin of funds that left an address. */
  left(move: MoveId): Origin
  groups: readonly SourceGroup[]
}

/** Known tokens and prices; null if known to be absent. */
export interface KnownTokens {
  tokens: ReadonlyMap<TokenKey, Token | null>
  prices: ReadonlyMap<TokenKey, Price | null>
}

/** Facts that the caller has read already. */
export interface GivenFacts {
  known?: KnownTokens
  /** The version of the account's facts, read before any other fact of the answer. */
  version?: AccountVersion
}

/** Explains the origin of money. Every accountId here has been checked to be the caller's. */
export interface Provenance {
  /**
   * Explains present holdings: one query for each hundred addresses. Returns the same object for the same list while
   * nothing changed.
   */
  explainHoldings(
    accountId: string,
    holdings: readonly HoldingId[],
    given?: GivenFacts,
  ): Promise<ExplainedHoldings>
  /** Explains moves in transactions, with as many queries. */
  explainMoves(accountId: string, moves: readonly MoveId[], given?: GivenFacts): Promise<ExplainedMoves>
}

/** Builds an unknown origin with its reason. */
export function unknownOrigin(address: Address, reason: UnresolvedReason): Origin {
  return {
    reason: 'unavailable',
    sources: [],
    direct: [],
    olderCount: 0,
    parts: [],
    actions: [],
    association: {
      status: 'unknown',
      sources: [],
      hasOlder: false,
      unsolicitedCount: 0,
      unresolved: [reason],
    },
    unresolved: [reason],
    mixGroup: `unknown:${address}`,
    fundingGroupId: null,
    directGroupId: null,
    associationGroupId: null,
    named: [],
    userTaggedSourceCount: 0,
    privateOrigins: [],
    describedSources: [],
    onlySource: null,
    isTagged: false,
  }
}
