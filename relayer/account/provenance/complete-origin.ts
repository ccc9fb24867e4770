import type { Address } from 'viem'
import { transactionId } from './build-transactions.ts'
import type { HoldingOrigin } from './explain-origin.ts'
import { describeSourceOf, labelOf, type SourceNames } from './group-sources.ts'
import type { History } from './load-history.ts'
import type { SourceId } from './movements.ts'
import type { Origin, Source } from './provenance.ts'

/** The owner's tags on sources. */
interface Labels {
  taggedCount: number
  /** Equal for equal sets of labels. */
  set: string
}

/** Returns a function that adds groups, tags and pool payments to the origin of a holding. */
export function createOriginCompleter(history: History, names: SourceNames) {
  const { facts, trace } = history
  const labels = new Map<readonly SourceId[], Labels>()
  const describe = (id: SourceId): Source => describeSourceOf(id, facts, trace.origin(id))

  /** Cached: all addresses of a component share one array. */
  function labelsOf(sources: readonly SourceId[]): Labels {
    const known = labels.get(sources)
    if (known) return known
    const tagged = sources.map(describe).filter(({ tag }) => tag !== null)
    const names = new Set([...tagged.map(labelOf), ...(tagged.length < sources.length ? ['untagged'] : [])])
    const found = { taggedCount: tagged.length, set: [...names].toSorted().join() }
    labels.set(sources, found)
    return found
  }

  return (origin: HoldingOrigin, token: Address): Origin => {
    const sources = origin.sources.map(describe)
    const { taggedCount, set } = labelsOf(origin.association.sources)
    const funding = names.name(origin.sources, describe)
    const direct = names.name(origin.direct, describe)
    const association = names.name(origin.association.sources, describe)
    return {
      ...origin,
      mixGroup: origin.mixGroup === 'untagged' && taggedCount > 0 ? `tagged:${set}` : origin.mixGroup,
      fundingGroupId: funding?.id ?? null,
      directGroupId: direct?.id ?? null,
      associationGroupId: association?.id ?? null,
      named: [funding, direct, association].filter((group) => group !== null),
      userTaggedSourceCount: taggedCount,
      privateOrigins: origin.parts.flatMap(({ kind, receipt, to }) =>
        kind === 'private' && receipt
          ? (history.privateOriginOf({ id: transactionId(receipt), to, token }) ?? [])
          : [],
      ),
      describedSources: sources,
      onlySource: sources.length === 1 && origin.olderCount === 0 ? (sources[0] ?? null) : null,
      isTagged: sources.length > 0 && sources.every(({ tag }) => tag !== null),
    }
  }
}
