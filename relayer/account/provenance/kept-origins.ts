import type { Address } from 'viem'
import { hasSameFacts, type AccountVersion } from '../../../db/account/changes/account-version.ts'
import type { TokenId } from '../../market/tokens/token-id.ts'
import { createSourceNames, type SourceIds, type SourceNames } from './group-sources.ts'
import { createJudgedTokens, type JudgedTokens } from './judged-tokens.ts'
import type { History } from './load-history.ts'
import type { ExplainedHoldings, HoldingId, Origin } from './provenance.ts'
import type { Arrival } from './trace-movements.ts'

/** The origins of one move in a transaction; null if nothing arrived, or nothing left. */
export interface MovedOrigins {
  arrived: Origin | null
  left: Origin | null
}

/** The origin of an address's holding of a token. */
interface OriginOfToken {
  chainId: number
  token: Address
  origin: Origin
}

/** Results of tracing. */
export interface WorkedOut {
  /** By address, each with its few tokens. */
  origins: Map<Address, OriginOfToken[]>
  receives: Map<Address, readonly Arrival[]>
  /** By key of the move. */
  moves: Map<string, MovedOrigins>
}

/** Creates empty results. */
export const nothingWorkedOut = (): WorkedOut => ({
  origins: new Map(),
  receives: new Map(),
  moves: new Map(),
})

/** An account's cached results, and the facts that they depend on. */
export interface KeptOrigins extends WorkedOut {
  ids: SourceIds
  names: SourceNames
  judged: JudgedTokens
  /** Tokens that the account had added to its list. */
  watched: readonly TokenId[]
  /** The version of the facts before the first read; null before that. */
  version: AccountVersion | null
  /** Chains whose nodes showed all native-coin moves of at least one address. */
  traced: Set<number>
  /** Complete answers by the caller's list of holdings; never results that are valid for one answer only. */
  explained: WeakMap<readonly HoldingId[], ExplainedHoldings>
}

/** Creates the empty entry of an account. @param ids Ids of the account's groups. */
export const createKeptOrigins = (ids: SourceIds): KeptOrigins => ({
  ...nothingWorkedOut(),
  ids,
  names: createSourceNames(ids),
  judged: createJudgedTokens(),
  watched: [],
  version: null,
  traced: new Set(),
  explained: new WeakMap(),
})

/** Records the facts that a history was read from. */
export function noteHistory(kept: KeptOrigins, { version, watched, facts }: History): void {
  // The oldest version counts: a change of facts between histories invalidates all results.
  if (kept.version === null) {
    kept.version = version
    kept.watched = watched
  }
  for (const { untraced } of facts.values())
    for (const [chainId] of version.chains) if (!untraced.includes(chainId)) kept.traced.add(chainId)
}

/** True if the facts behind the results are unchanged. */
export function isCurrent({ version, traced }: KeptOrigins, now: AccountVersion): boolean {
  if (!version || !hasSameFacts(version, now) || version.chains.length !== now.chains.length) return false
  return version.chains.every(([chainId, isResyncing, untracedTo], place) => {
    const [sameChain, stillResyncing, nowTo] = now.chains[place] ?? []
    if (sameChain !== chainId || stillResyncing !== isResyncing) return false
    if (untracedTo === nowTo) return true
    // Without any traced address, later blocks change nothing.
    return (
      typeof untracedTo === 'number' &&
      typeof nowTo === 'number' &&
      untracedTo < nowTo &&
      !traced.has(chainId)
    )
  })
}

/** Counts the results about single holdings and moves. */
export const weightOf = ({ origins, moves }: WorkedOut): number =>
  [...origins.values()].reduce((sum, held) => sum + held.length, moves.size)

/** Returns the origin of a holding, if known. */
export const originOf = (
  { origins }: WorkedOut,
  { chainId, address, token }: HoldingId,
): Origin | undefined =>
  origins.get(address)?.find((one) => one.token === token && one.chainId === chainId)?.origin

/** Adds the origin of a holding. */
export function addOrigin(
  { origins }: WorkedOut,
  { chainId, address, token }: HoldingId,
  origin: Origin,
): void {
  const held = (origins.get(address) ?? []).filter((one) => one.token !== token || one.chainId !== chainId)
  origins.set(address, [...held, { chainId, token, origin }])
}
