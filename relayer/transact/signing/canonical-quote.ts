import canonicalize from 'canonicalize'

/**
 * Returns the text that a quote's signature covers, as canonical JSON (RFC 8785). It is the whole quote without
 * `signature` and without members that are null or absent. GraphQL answers null where REST omits a member: both give
 * the same text.
 * @throws TypeError for a bigint, Error for a number or text that JSON cannot hold: amounts must already be decimal
 * strings.
 */
export function canonicalizeQuote(quote: object): string {
  const { signature: _, ...signed } = quote as { signature?: unknown }
  const text = canonicalize(dropNulls(signed))
  if (text === undefined) throw new TypeError('a quote without content')
  return text
}

/** Drops members that are null, at any depth; a null in a list stays, because positions count there. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, dropNulls(member)]),
  )
}
