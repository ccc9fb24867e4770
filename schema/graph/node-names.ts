import { badRequest } from '../../relayer/errors.ts'
import { decodeGlobalId, encodeGlobalId } from './global-ids.ts'

/** The names that ids have for types. A thing of an interface keeps its id when its type changes. */
export interface NodeNames {
  /** Adds a type of nodes. @param family The interface that its ids name instead. */
  add(typename: string, family?: string): void
  encode(typename: string, key: string | number | bigint): string
  /** @throws ServiceError `bad-request` BAD_REQUEST for an id of nothing that this service has. */
  decode(id: string): { typename: string; id: string }
}

export function createNodeNames(): NodeNames {
  const inIds = new Map<string, string>()
  /** The type whose loader finds things of a name; of an interface any of its types. */
  const loaders = new Map<string, string>()
  return {
    add(typename, family = typename) {
      inIds.set(typename, family)
      loaders.set(family, typename)
    },
    encode: (typename, key) => encodeGlobalId(inIds.get(typename) ?? typename, key),
    decode(given) {
      const { typename, id } = decodeGlobalId(given)
      const loader = loaders.get(typename)
      if (loader === undefined) throw badRequest('id: expected an opaque `id` of an earlier answer')
      return { typename: loader, id }
    },
  }
}
