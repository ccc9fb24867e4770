type Encode = (event: unknown) => Buffer | Promise<Buffer>

interface Shared {
  encode: Encode
  users: number
}

/** An encoding that its user gives back. */
export interface JoinedEncoding {
  encode: Encode
  leave(): void
}

/** Encodings of events that many are told of. */
export interface SharedEncodings {
  /**
   * The encoding of all who ask the same: an event is encoded once for all of them.
   *
   * @param asked All that the encoding depends on, as a text.
   * @param make Is called with the first event: who waits for one keeps nothing but the text.
   */
  join(asked: string, make: (asked: string) => Encode): JoinedEncoding
}

/** Creates the encodings; one that nobody uses is forgotten. */
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

/** Encodes each event once, as long as it exists. */
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
