type Encode = (event: unknown) => Buffer | Promise<Buffer>

interface Shared {
  encode: Encode
  users: number
}

/** An encoding that its user must leave. */
export interface JoinedEncoding {
  encode: Encode
  leave(): void
}

/** Encodings of events shared by many followers. */
export interface SharedEncodings {
  /**
   * The encoding shared by all followers with the same document: it encodes an event once for all of them.
   *
   * @param asked All that the encoding depends on, as a text.
   * @param make Called at the first event; until then a follower keeps only the text.
   */
  join(asked: string, make: (asked: string) => Encode): JoinedEncoding
}

/** Creates the encodings; an unused one is dropped. */
export function shareEncoding(): SharedEncodings {
  const known = new Map<string, Shared>()

  function leave(asked: string, shared: Shared): void {
    shared.users -= 1
    if (shared.users === 0) known.delete(asked)
  }

  return {
    join(asked, make) {
      const shared = known.get(asked) ?? { encode: once(asked, make), users: 0 }
      known.set(asked, shared)
      shared.users += 1
      return { encode: shared.encode, leave: () => leave(asked, shared) }
    },
  }
}

/** Encodes each event once for its lifetime. */
function once(asked: string, make: (asked: string) => Encode): Encode {
  let made: { encode: Encode; encoded: WeakMap<object, Buffer | Promise<Buffer>> } | undefined
  return (event) => {
    made ??= { encode: make(asked), encoded: new WeakMap() }
    const { encode, encoded } = made
    if (typeof event !== 'object' || event === null) return encode(event)
    const known = encoded.get(event) ?? encode(event)
    encoded.set(event, known)
    return known
  }
}
