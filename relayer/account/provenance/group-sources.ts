import type { Address } from 'viem'
import type { AddressKnowledge } from './load-history.ts'
import type { Receipt } from './lots.ts'
import { type SourceId, type SourceKind, MAX_SOURCES } from './movements.ts'
import type { NamedSources, Source, SourceGroup } from './provenance.ts'

/** 132 of the hash's 256 bits, as base64url. */
const ID_LENGTH = 22

/** Names groups of sources. */
export interface SourceNames {
  /** Returns the group of these sorted sources; null without any. */
  name(sources: readonly SourceId[], describe: (source: SourceId) => Source): NamedSources | null
}

/** Returns the id of an account's group by its labels. */
export type SourceIds = (labels: string) => string

/** Maximum of cached ids per account. */
const MOST_IDS = 2_000

/** Creates the ids of an account's groups. @param digest A hash keyed for the account: an id reveals no source to others. */
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

/** Creates the names of an account's groups. */
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

/** Limit of sources over all groups of an answer; the count of a group includes the omitted ones. */
const MOST_OF_ANSWER = 2_000

/** Collects the groups that an answer names. */
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

/** Returns the key that a source is grouped by: its label's key if the client gave one, else its id. */
export const labelOf = ({ id, tag }: Source) => (tag?.labelKey ? `label:${tag.labelKey}` : id)

/** Describes a source with its address's tag and apps. */
export function describeSourceOf(
  id: SourceId,
  facts: ReadonlyMap<Address, AddressKnowledge>,
  origin: Receipt | null,
): Source {
  const [kind, address] = id.split(':') as [SourceKind, Address]
  const known = facts.get(address)
  return { id, kind, address, origin, tag: known?.tag ?? null, apps: known?.apps ?? [] }
}
