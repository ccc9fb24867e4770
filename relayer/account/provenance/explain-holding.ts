import type { Address } from 'viem'
import { fitLots, type Lot } from './lots.ts'
import { OLDER, type Root, type SourceId } from './movements.ts'
import type { Trace } from './trace-movements.ts'

/** Why nothing, or not all, is said about where a holding comes from. */
export type UnresolvedReason =
  | 'history_incomplete'
  | 'untraced_native'
  | 'holding_stale'
  | 'too_much_history'
  | 'too_many_sources'

/** What a present holding is made of. */
export type OriginReason =
  | 'fresh_receive'
  | 'platform_action_output'
  | 'mixed_current_outputs'
  | 'carried_source'
  | 'older_funds'
  | 'unavailable'

/** Where a holding comes from, and whom it can be joined with. */
export interface HoldingOrigin {
  reason: OriginReason
  /** Sorted. */
  sources: readonly SourceId[]
  /** Parts of it that are older than what is known, or come from such. */
  olderCount: number
  /** The parts that are shown, the oldest first: those that somebody asked for, if there are any. */
  parts: readonly Lot[]
  /** Kinds of the account's own activity that brought it, sorted. */
  actions: readonly string[]
  association: {
    status: 'clean' | 'linked' | 'unknown'
    /** Sorted. */
    sources: readonly SourceId[]
    hasOlder: boolean
    unsolicitedCount: number
  }
  unresolved: readonly UnresolvedReason[]
  /** Addresses of one group may pay together; those of different groups only where the client names exactly them. */
  mixGroup: `private:${Address}` | `unknown:${Address}` | 'untagged'
}

/** A holding that is asked about. */
export interface AskedHolding {
  chainId: number
  address: Address
  token: Address
  /** What the chain says it is, smallest unit. */
  held: bigint
  /** What stands in the way of knowing it. */
  unresolved: readonly UnresolvedReason[]
}

/** Says where a holding comes from. What cannot be known is `unavailable` instead of guessed. */
export function explainHolding(trace: Trace, asked: AskedHolding): HoldingOrigin {
  const { chainId, address, token, held, unresolved } = asked
  const isKnown = unresolved.length === 0
  const lots = isKnown ? fitLots(trace.lots(chainId, address, token), held) : []
  const wanted = lots.filter(({ isUnsolicited }) => !isUnsolicited)
  const parts = wanted.length > 0 ? wanted : lots
  const roots = union(parts)
  const sources = sortSources(roots)
  const olderCount = parts.filter((lot) => lot.roots.has(OLDER)).length
  const associated = isKnown ? trace.associated(address) : new Set<Root>()
  const linked = sortSources(associated)
  const hasOlder = associated.has(OLDER)
  const isPrivate = [...sources, ...linked].some((source) => source.startsWith('private:'))
  return {
    reason: isKnown ? reasonOf(parts, sources, olderCount) : 'unavailable',
    sources,
    olderCount,
    parts,
    actions: [...new Set(parts.flatMap(({ actions }) => [...actions]))].toSorted(),
    association: {
      status: !isKnown || hasOlder ? 'unknown' : linked.length > 1 ? 'linked' : 'clean',
      sources: linked,
      hasOlder,
      unsolicitedCount: trace.unsolicited(address),
    },
    unresolved,
    mixGroup: isPrivate ? `private:${address}` : isKnown && !hasOlder ? 'untagged' : `unknown:${address}`,
  }
}

function reasonOf(parts: readonly Lot[], sources: readonly SourceId[], olderCount: number): OriginReason {
  const kinds = new Set(parts.map(({ kind }) => kind))
  if (olderCount === parts.length && sources.length === 0) return 'older_funds'
  if (kinds.size > 1 || kinds.has('mixed') || sources.length > 1) return 'mixed_current_outputs'
  if (kinds.has('private') || kinds.has('action')) return 'platform_action_output'
  return kinds.has('carried') ? 'carried_source' : 'fresh_receive'
}

const union = (parts: readonly Lot[]): ReadonlySet<Root> =>
  parts.reduce<ReadonlySet<Root>>((sum, { roots }) => sum.union(roots), new Set<Root>())

const sortSources = (roots: ReadonlySet<Root>): SourceId[] =>
  [...roots].filter((root) => root !== OLDER).toSorted()
