import type { Address } from 'viem'
import { fitLots, type Lot } from './lots.ts'
import { OLDER, TOO_MANY, type Root, type SourceId } from './movements.ts'
import { MAX_SOURCES, NO_ROOTS, uniteRoots } from './roots.ts'
import type { Trace } from './trace-movements.ts'

/** Why nothing, or not all, is said about where money comes from. */
export type UnresolvedReason =
  | 'history_incomplete'
  | 'untraced_native'
  | 'holding_stale'
  | 'too_much_history'
  | 'too_many_sources'
  | 'passed_through'
  | 'pool_spend'

/** What money is made of. */
export type OriginReason =
  | 'fresh_receive'
  | 'platform_action_output'
  | 'mixed_current_outputs'
  | 'carried_source'
  | 'older_funds'
  | 'unavailable'

/** Where money comes from, and whom its address can be joined with. */
export interface HoldingOrigin {
  reason: OriginReason
  /** Where it comes from in the end; sorted. */
  sources: readonly SourceId[]
  /** The account's addresses that it came from at once, or arrived at from outside; sorted. */
  direct: readonly SourceId[]
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
    unresolved: readonly UnresolvedReason[]
  }
  /** Why the money itself is not explained; empty where it is. */
  unresolved: readonly UnresolvedReason[]
  /** Addresses of one group may pay together; those of different groups only where the client names exactly them. */
  mixGroup: string
}

/** What stands in the way of knowing where money comes from. */
export interface Obstacles {
  /** About the money itself. */
  funding: readonly UnresolvedReason[]
  /** About what its address was joined with. */
  association: readonly UnresolvedReason[]
}

/** Nothing stands in the way. */
export const NO_OBSTACLES: Obstacles = { funding: [], association: [] }

/** A holding that is asked about. */
export interface AskedHolding {
  chainId: number
  address: Address
  token: Address
  /** What the chain says it is, smallest unit. */
  held: bigint
}

/** Says where a holding comes from. What cannot be known is `unavailable` instead of guessed. */
export const explainHolding = (
  trace: Trace,
  { chainId, address, token, held }: AskedHolding,
  obstacles = NO_OBSTACLES,
): HoldingOrigin => explainLots(trace, address, fitLots(trace.lots(chainId, address, token), held), obstacles)

/** Says where parts come from that an address holds, or held once. */
export function explainLots(
  trace: Trace,
  address: Address,
  lots: readonly Lot[],
  obstacles = NO_OBSTACLES,
): HoldingOrigin {
  const wanted = lots.filter(({ isUnsolicited }) => !isUnsolicited)
  const shown = wanted.length > 0 ? wanted : lots
  const roots = unite(shown.map((lot) => lot.roots))
  const unresolved: readonly UnresolvedReason[] = roots.has(TOO_MANY)
    ? [...obstacles.funding, 'too_many_sources']
    : obstacles.funding
  const isKnown = unresolved.length === 0
  const parts = isKnown ? shown : []
  const sources = isKnown ? sortSources(roots) : []
  const olderCount = parts.filter((lot) => lot.roots.has(OLDER)).length
  const association = explainAssociation(trace, address, {
    obstacles: [...unresolved, ...obstacles.association],
    // No receipt shows how it came, so other receipts may be missing too.
    isOlder: parts.length > 0 && olderCount === parts.length && sources.length === 0,
  })
  const isPrivate = [sources, association.sources].some((all) => all.some(isOutOfPool))
  return {
    reason: isKnown ? reasonOf(parts, sources, olderCount) : 'unavailable',
    sources,
    direct: sortSources(unite(parts.map(({ direct }) => direct))),
    olderCount,
    parts,
    actions: [...new Set(parts.flatMap(({ actions }) => [...actions]))].toSorted(),
    association,
    unresolved,
    mixGroup: isPrivate
      ? `private:${address}`
      : association.status === 'unknown'
        ? `unknown:${address}`
        : 'untagged',
  }
}

function explainAssociation(
  trace: Trace,
  address: Address,
  { obstacles, isOlder }: { obstacles: readonly UnresolvedReason[]; isOlder: boolean },
): HoldingOrigin['association'] {
  const roots = obstacles.length === 0 ? trace.associated(address) : NO_ROOTS
  const all = sortSources(roots)
  const isTooMuch = all.length > MAX_SOURCES || roots.has(TOO_MANY)
  const unresolved = [...new Set([...obstacles, ...(isTooMuch ? (['too_many_sources'] as const) : [])])]
  const hasOlder = isOlder || roots.has(OLDER)
  return {
    status: unresolved.length > 0 || hasOlder ? 'unknown' : all.length > 1 ? 'linked' : 'clean',
    sources: all,
    hasOlder,
    unsolicitedCount: trace.unsolicited(address),
    unresolved,
  }
}

const isOutOfPool = (source: SourceId) => source.startsWith('private:')

function reasonOf(
  parts: readonly Lot[],
  sources: readonly SourceId[],
  olderCount: number,
): HoldingOrigin['reason'] {
  const kinds = new Set(parts.map(({ kind }) => kind))
  if (olderCount === parts.length && sources.length === 0) return 'older_funds'
  if (kinds.size > 1 || kinds.has('mixed') || sources.length > 1) return 'mixed_current_outputs'
  if (kinds.has('private') || kinds.has('action')) return 'platform_action_output'
  return kinds.has('carried') ? 'carried_source' : 'fresh_receive'
}

const unite = (all: readonly ReadonlySet<Root>[]) => all.reduce(uniteRoots, NO_ROOTS)

const sorted = new WeakMap<ReadonlySet<Root>, readonly SourceId[]>()
const isSource = (root: Root): root is SourceId => root !== OLDER && root !== TOO_MANY

/** Remembered, for all addresses of a component share one set. */
function sortSources(roots: ReadonlySet<Root>): readonly SourceId[] {
  const known = sorted.get(roots)
  if (known) return known
  const sources = [...roots].filter(isSource).toSorted()
  sorted.set(roots, sources)
  return sources
}
