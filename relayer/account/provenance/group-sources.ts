import type { Address } from 'viem'
import type { AddressKnowledge } from './load-history.ts'
import type { Receipt } from './lots.ts'
import type { SourceId, SourceKind } from './movements.ts'
import type { NamedSources, Source, SourceGroup } from './provenance.ts'
import { MAX_SOURCES } from './roots.ts'

/** 132 of the hash's 256 bits, as base64url. */
const ID_LENGTH = 22

/** Names groups of sources. */
export interface SourceNames {
  /** The group of these sources, which are sorted; null without any. */
  name(sources: readonly SourceId[], describe: (source: SourceId) => Source): NamedSources | null
}

/** Ids of groups of one account. */
export type SourceIds = (labels: string) => string

/** Ids that are remembered of one account. */
const MOST_IDS = 2_000

/** @param digest A keyed hash of the account: nobody else can tell which sources an id stands for. */
export function createSourceIds(digest: (text: string) => Buffer): SourceIds {
  const ids = new Map<string, string>()
  return (labels) => {
    const known = ids.get(labels)
    if (known !== undefined) return known
    const id = digest(labels).toString('base64url').slice(0, ID_LENGTH)
    if (ids.size >= MOST_IDS) ids.clear()
    ids.set(labels, id)
    return id
  }
}

/** Names the groups of an account. */
export function createSourceNames(idOf: SourceIds): SourceNames {
  const named = new WeakMap<readonly SourceId[], NamedSources>()
  return {
    name(sources, describe) {
      if (sources.length === 0) return null
      const known = named.get(sources)
      if (known) return known
      const described = sources.map(describe)
      const group = {
        id: idOf([...new Set(described.map(labelOf))].toSorted().join('\n')),
        sources: described,
      }
      named.set(sources, group)
      return group
    },
  }
}

/** Sources of all groups of an answer; what is left out shows in the count of its group. */
const MOST_OF_ANSWER = 2_000

/** The groups that an answer names. */
export function collectGroups(named: Iterable<NamedSources>): readonly SourceGroup[] {
  const groups = new Map<string, Map<SourceId, Source>>()
  for (const { id, sources } of new Set(named)) {
    const group = groups.get(id) ?? new Map<SourceId, Source>()
    groups.set(id, group)
    for (const source of sources) group.set(source.id, source)
  }
  let left = MOST_OF_ANSWER
  return [...groups].map(([id, group]) => {
    const sources = [...group]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .slice(0, Math.min(MAX_SOURCES, left))
      .map(([, source]) => source)
    left -= sources.length
    return { id, sourceCount: group.size, sources }
  })
}

/** What a source is grouped by: the label that its owner gave it, where the client says which are equal; else itself. */
export const labelOf = ({ id, tag }: Pick<Source, 'id' | 'tag'>) =>
  tag?.labelKey ? `label:${tag.labelKey}` : id

/** A source with what is known of its address. */
export function describeSourceOf(
  id: SourceId,
  facts: ReadonlyMap<Address, AddressKnowledge>,
  origin: Receipt | null,
): Source {
  const [kind, address] = id.split(':') as [SourceKind, Address]
  const known = facts.get(address)
  return { id, kind, address, origin, tag: known?.tag ?? null, apps: known?.apps ?? [] }
}
