import type { Address, Hash } from 'viem'
import type { AccountVersion } from '../../../db/account/changes/account-version.ts'
import type { UsedApp } from '../addresses/addresses.ts'
import type { HoldingOrigin, UnresolvedReason } from './explain-origin.ts'
import type { Price } from '../../market/prices/prices.ts'
import type { TokenKey } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { Receipt } from './lots.ts'
import type { SourceId, SourceKind } from './movements.ts'

/** Sources with the name of the group that they are told of in. */
export interface NamedSources {
  id: string
  sources: readonly Source[]
}

/** A source of money, as the account's owner is told of it. */
export interface Source {
  id: SourceId
  kind: SourceKind
  /** The account's address that it arrived at. */
  address: Address
  /** Where it arrived first; null where that is not known. */
  origin: Receipt | null
  /** What the owner wrote about the address, encrypted by the client; equal labels have equal keys where there are keys. */
  tag: { ciphertext: string; labelKey: string | null; updatedAt: Date } | null
  /** The app that knows the address, if one does. */
  apps: readonly (UsedApp & { lastUsedAt: Date })[]
}

/** Sources that are told of together; the same sources, or labels, have the same id in every answer of one account. */
export interface SourceGroup {
  /** Opaque, and unlike for each account. */
  id: string
  sourceCount: number
  /** At most 64 of them, in the order of their ids. */
  sources: readonly Source[]
}

/** Where the chain shows that something came out of a pool. */
export interface PrivateOrigin {
  chainId: number
  txHash: Hash
  /** Of the log in its block, or of the call in the transaction's trace. */
  index: number
  entrypoint: Address
  pool: Address
  /** Of the pool's event in its block. */
  poolLogIndex: number
}

/** Where money comes from, with what is known of its sources. */
export interface Origin extends HoldingOrigin {
  /** Of the sources in the end; null without any. */
  fundingGroupId: string | null
  /** Of the account's addresses that it came from at once, or arrived at from outside; null without any. */
  directGroupId: string | null
  /** Of all that an observer can join its address with; null without any. */
  associationGroupId: string | null
  /** The sources of these groups. */
  named: readonly NamedSources[]
  /** Of `association.sources`. */
  userTaggedSourceCount: number
  /** Where parts of it came out of a pool. */
  privateOrigins: readonly PrivateOrigin[]
  /** What is known of `sources`, in their order. */
  describedSources: readonly Source[]
  /** Its only source; null where it has none or several. */
  onlySource: Source | null
  /** All its sources are tagged. */
  isTagged: boolean
}

/**
 * A holding of an address of the account. The token's address is checksummed, the zero address is the native coin; what a
 * transaction moves may be a collectible, `contract/number`.
 */
export interface HoldingId {
  chainId: number
  address: Address
  token: Address
}

/** Something that arrived at, or left, an address of the account by a transaction. */
export interface MoveId extends HoldingId {
  txHash: Hash
}

/** Actions that brought an address what its owner asked for. */
export interface TrustedReceives {
  count: number
  /** Kinds of activity, sorted. */
  types: readonly string[]
}

/** What is said about money, and the groups that it names. */
export interface ExplainedHoldings {
  of(holding: HoldingId): Origin
  /** Of one token at the address where it is given, of all otherwise. */
  receivesOf(address: Address, token?: Pick<HoldingId, 'chainId' | 'token'>): TrustedReceives
  groups: readonly SourceGroup[]
}

/** The same about what transactions moved. */
export interface ExplainedMoves {
  /** What arrived at an address. */
  arrived(move: MoveId): Origin
  /** What left an address. */
  left(move: MoveId): Origin
  groups: readonly SourceGroup[]
}

/** What is known of tokens and prices already, null where it is known that there is none. */
export interface KnownTokens {
  tokens: ReadonlyMap<TokenKey, Token | null>
  prices: ReadonlyMap<TokenKey, Price | null>
}

/** What an answer has read already and need not be read again. */
export interface GivenFacts {
  known?: KnownTokens
  /** The state of the account's facts, read before anything that the answer tells. */
  version?: AccountVersion
}

/** Says where money comes from. Every accountId here has been checked to be the caller's. */
export interface Provenance {
  /** Where present holdings come from: one query for each hundred addresses. The same object for the same list while nothing changed. */
  explainHoldings(
    accountId: string,
    holdings: readonly HoldingId[],
    given?: GivenFacts,
  ): Promise<ExplainedHoldings>
  /** Where what transactions moved came from, with as many. */
  explainMoves(accountId: string, moves: readonly MoveId[], given?: GivenFacts): Promise<ExplainedMoves>
}

/** Says of money whose origin cannot be known why that is so. */
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
