import canonicalize from 'canonicalize'

/**
 * The text that a quote's signature covers: the whole quote less `signature` and every member that is null or absent, as
 * canonical JSON (RFC 8785). A GraphQL answer says null where REST leaves a member out: both mean the same text.
 * @throws TypeError for a bigint, Error for a number or text that JSON cannot hold: amounts are decimal strings by then.
 */
export function canonicalizeQuote(quote: object): string {
  const { signature: _, ...signed } = quote as { signature?: unknown }
  const text = canonicalize(dropNulls(signed))
  if (text === undefined) throw new TypeError('a quote without content')
  return text
}

/** Without members that are null, at any depth; a null in a list has its place and stays. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, dropNulls(member)]),
  )
}
