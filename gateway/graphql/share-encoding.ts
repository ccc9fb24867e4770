import type { DocumentNode } from 'graphql'

type Encode = (event: unknown) => Buffer | Promise<Buffer>

interface Shared {
  encode: Encode
  users: number
}

/** Encodings of events that many are told of. */
export interface SharedEncodings<Args> {
  /**
   * The encoding of all who ask the same of the same document: an event is encoded once for all of them.
   *
   * @param args Of whoever comes first.
   * @param until Aborted when the stream has ended.
   */
  join(
    document: DocumentNode,
    asked: unknown,
    args: Args,
    make: (args: Args) => Encode,
    until: AbortSignal,
  ): Encode
}

/** Creates the encodings; one that nobody uses is forgotten. */
export function shareEncoding<Args>(): SharedEncodings<Args> {
  const ofDocuments = new WeakMap<DocumentNode, Map<string, Shared>>()
  return {
    join(document, asked, args, make, until) {
      const known = ofDocuments.get(document) ?? new Map<string, Shared>()
      ofDocuments.set(document, known)
      const key = JSON.stringify(asked)
      const shared = known.get(key) ?? { encode: once(make(args)), users: 0 }
      known.set(key, shared)
      shared.users += 1
      const leave = () => {
        shared.users -= 1
        if (shared.users === 0) known.delete(key)
      }
      if (until.aborted) leave()
      else until.addEventListener('abort', leave, { once: true })
      return shared.encode
    },
  }
}

/** Encodes each event once, as long as it exists. */
function once(encode: Encode): Encode {
  const encoded = new WeakMap<object, Buffer | Promise<Buffer>>()
  return (event) => {
    if (typeof event !== 'object' || event === null) return encode(event)
    const known = encoded.get(event) ?? encode(event)
    encoded.set(event, known)
    return known
  }
}
