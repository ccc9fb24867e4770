import type { Address } from 'viem'
import type { KnownAddress } from './load-history.ts'
import type { Receipt } from './lots.ts'
import type { SourceId, SourceKind } from './movements.ts'
import type { Source, SourceGroup } from './provenance.ts'
import { MAX_SOURCES } from './roots.ts'

/** 132 of the hash's 256 bits, as base64url. */
const ID_LENGTH = 22

/** The groups that one answer names. */
export interface SourceGroups {
  /** The id of the group of these sources, which are sorted; null without any. */
  add(sources: readonly SourceId[], describe: (source: SourceId) => Source): string | null
  all(): readonly SourceGroup[]
}

/**
 * Collects the groups of an answer.
 * @param digest A keyed hash of this account: nobody else can tell which sources an id stands for.
 */
export function createSourceGroups(digest: (text: string) => Buffer): SourceGroups {
  const groups = new Map<string, Map<SourceId, Source>>()
  const ids = new WeakMap<readonly SourceId[], string>()
  return {
    add(sources, describe) {
      if (sources.length === 0) return null
      const known = ids.get(sources)
      if (known !== undefined) return known
      const described = sources.map(describe)
      const labels = [...new Set(described.map(labelOf))].toSorted()
      const id = digest(labels.join('\n')).toString('base64url').slice(0, ID_LENGTH)
      ids.set(sources, id)
      const group = groups.get(id) ?? new Map<SourceId, Source>()
      groups.set(id, group)
      for (const source of described) group.set(source.id, source)
      return id
    },
    all: () =>
      [...groups].map(([id, group]) => ({
        id,
        sourceCount: group.size,
        sources: [...group]
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .slice(0, MAX_SOURCES)
          .map(([, source]) => source),
      })),
  }
}

/** What a source is grouped by: the label that its owner gave it, where the client says which are equal; else itself. */
export const labelOf = ({ id, tag }: Pick<Source, 'id' | 'tag'>) =>
  tag?.labelKey ? `label:${tag.labelKey}` : id

/** A source with what is known of its address. */
export function describeSourceOf(
  id: SourceId,
  facts: ReadonlyMap<Address, KnownAddress>,
  origin: Receipt | null,
): Source {
  const [kind, address] = id.split(':') as [SourceKind, Address]
  const known = facts.get(address)
  return { id, kind, address, origin, tag: known?.tag ?? null, apps: known?.apps ?? [] }
}
