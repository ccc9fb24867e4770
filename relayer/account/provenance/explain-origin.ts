import type { Address } from 'viem'
import { fitLots, type Lot } from './lots.ts'
import { OLDER, TOO_MANY, type Root, type SourceId, MAX_SOURCES, NO_ROOTS, uniteRoots } from './movements.ts'
import type { Trace } from './trace-movements.ts'

/** Reasons why an origin is unknown or incomplete. */
export type UnresolvedReason =
  | 'history_incomplete'
  | 'untraced_native'
  | 'holding_stale'
  | 'too_much_history'
  | 'too_many_sources'
  | 'passed_through'
  | 'pool_spend'

/** The composition of a holding. */
export type OriginReason =
  | 'fresh_receive'
  | 'platform_action_output'
  | 'mixed_current_outputs'
  | 'carried_source'
  | 'older_funds'
  | 'unavailable'

/** The origin of money, and the sources that its address can be joined with. */
export interface HoldingOrigin {
  reason: OriginReason
  /** The original sources; sorted. */
  sources: readonly SourceId[]
  /** The account's addresses that it came from directly, or arrived at from outside; sorted. */
  direct: readonly SourceId[]
  /** The number of parts that are older than the known history, or derive from such funds. */
  olderCount: number
  /** The parts that are shown, the oldest first: the solicited ones, if there are any. */
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
  /** Why the money itself is not explained; empty if it is. */
  unresolved: readonly UnresolvedReason[]
  /**
   * Addresses of one group may pay together. Addresses of different groups pay together only if the client names
   * exactly them.
   */
  mixGroup: string
}

/** Obstacles to knowing an origin. */
export interface Obstacles {
  /** Obstacles about the money itself. */
  funding: readonly UnresolvedReason[]
  /** Obstacles about the addresses that its address was joined with. */
  association: readonly UnresolvedReason[]
}

/** Obstacles of a fully known origin: none. */
export const NO_OBSTACLES: Obstacles = { funding: [], association: [] }

/** A holding whose origin is requested. */
export interface AskedHolding {
  chainId: number
  address: Address
  token: Address
  /** The balance on the chain, smallest unit. */
  held: bigint
}

/** Explains the origin of a holding. An unknown origin is `unavailable` instead of guessed. */
export const explainHolding = (
  trace: Trace,
  { chainId, address, token, held }: AskedHolding,
  obstacles = NO_OBSTACLES,
): HoldingOrigin => explainLots(trace, address, fitLots(trace.lots(chainId, address, token), held), obstacles)

/** Explains the origin of lots that an address holds, or held once. */
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

/** Cached: all addresses of a component share one set. */
function sortSources(roots: ReadonlySet<Root>): readonly SourceId[] {
  const known = sorted.get(roots)
  if (known) return known
  const sources = [...roots].filter(isSource).toSorted()
  sorted.set(roots, sources)
  return sources
}
