import type { Address } from 'viem'
import { hasSameFacts, type AccountVersion } from '../../../db/account/changes/account-version.ts'
import type { TokenId } from '../../market/tokens/token-id.ts'
import { createSourceNames, type SourceIds, type SourceNames } from './group-sources.ts'
import { createJudgedTokens, type JudgedTokens } from './judged-tokens.ts'
import type { History } from './load-history.ts'
import type { ExplainedHoldings, HoldingId, Origin } from './provenance.ts'
import type { Arrival } from './trace-movements.ts'

/** Origins of what one transaction moved; null where it brought, or took, nothing. */
export interface MovedOrigins {
  arrived: Origin | null
  left: Origin | null
}

/** Where what an address holds of a token came from. */
interface OriginOfToken {
  chainId: number
  token: Address
  origin: Origin
}

/** What was worked out for answers. */
export interface WorkedOut {
  /** By address, each with its few tokens. */
  origins: Map<Address, OriginOfToken[]>
  receives: Map<Address, readonly Arrival[]>
  /** By what was moved. */
  moves: Map<string, MovedOrigins>
}

/** Nothing was worked out yet. */
export const nothingWorkedOut = (): WorkedOut => ({
  origins: new Map(),
  receives: new Map(),
  moves: new Map(),
})

/** What was worked out about an account, and what it follows from. */
export interface KeptOrigins extends WorkedOut {
  ids: SourceIds
  names: SourceNames
  judged: JudgedTokens
  /** Tokens that the account had added to its list. */
  watched: readonly TokenId[]
  /** The state that the facts were in before any of it was read; null before that. */
  version: AccountVersion | null
  /** Chains whose nodes showed all moves of native coins of some address. */
  traced: Set<number>
  /** Of lists that were asked about before, while the caller has them: all that was said, none of it for that answer alone. */
  explained: WeakMap<readonly HoldingId[], ExplainedHoldings>
}

/** @param ids Of groups of this account. */
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

/** Notes what a history that something is worked out from was read from. */
export function noteHistory(kept: KeptOrigins, { version, watched, facts }: History): void {
  // Of several histories the oldest: where the facts changed in between, nothing of it is used again.
  if (kept.version === null) {
    kept.version = version
    kept.watched = watched
  }
  for (const { untraced } of facts.values())
    for (const [chainId] of version.chains) if (!untraced.includes(chainId)) kept.traced.add(chainId)
}

/** Whether the facts that it follows from are as they were. */
export function isCurrent({ version, traced }: KeptOrigins, now: AccountVersion): boolean {
  if (!version || !hasSameFacts(version, now) || version.chains.length !== now.chains.length) return false
  return version.chains.every(([chainId, isResyncing, untracedTo], place) => {
    const [sameChain, stillResyncing, nowTo] = now.chains[place] ?? []
    if (sameChain !== chainId || stillResyncing !== isResyncing) return false
    if (untracedTo === nowTo) return true
    // Where nothing was traced for any of the addresses, later blocks change nothing.
    return (
      typeof untracedTo === 'number' &&
      typeof nowTo === 'number' &&
      untracedTo < nowTo &&
      !traced.has(chainId)
    )
  })
}

/** How many answers about single holdings and moves it holds. */
export const weightOf = ({ origins, moves }: WorkedOut): number =>
  [...origins.values()].reduce((sum, held) => sum + held.length, moves.size)

/** What was worked out about a holding. */
export const originOf = (
  { origins }: WorkedOut,
  { chainId, address, token }: HoldingId,
): Origin | undefined =>
  origins.get(address)?.find((one) => one.token === token && one.chainId === chainId)?.origin

/** Adds what was worked out about a holding. */
export function addOrigin(
  { origins }: WorkedOut,
  { chainId, address, token }: HoldingId,
  origin: Origin,
): void {
  const held = (origins.get(address) ?? []).filter((one) => one.token !== token || one.chainId !== chainId)
  origins.set(address, [...held, { chainId, token, origin }])
}
