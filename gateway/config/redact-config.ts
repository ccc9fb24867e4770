const SECRET = /key|secret|password|token|authorization/i
const LOCATION = /urls?$/i
const HIDDEN = '[redacted]'

/** Their path is the name or number of a database. */
const DATABASES = new Set(['postgres:', 'postgresql:', 'redis:', 'rediss:'])

/**
 * An address without what may be secret in it: the password of a server, and path and query of everything but a
 * database, for there RPC providers put keys. Of what only looks like an address nothing is shown.
 */
function redactUrl(text: string): string {
  const url = URL.parse(text)
  if (!url?.host) return HIDDEN
  const user = url.username || url.password ? `${HIDDEN}@` : ''
  const hasMore = url.pathname.length + url.search.length + url.hash.length > 1
  const rest = DATABASES.has(url.protocol) ? url.pathname : hasMore ? `/${HIDDEN}` : ''
  return `${url.protocol}//${user}${url.host}${rest}`
}

/** A copy of a configuration that may be shown: keys are hidden, URLs keep their host, amounts become decimal text. */
export function redact(value: unknown, name?: PropertyKey): unknown {
  if (typeof name === 'string' && SECRET.test(name) && value !== undefined)
    return Array.isArray(value) ? value.map(() => HIDDEN) : HIDDEN
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') {
    // What should be an address and is none may be one whose scheme was forgotten, key and all.
    const isLocation = typeof name === 'string' && LOCATION.test(name)
    return isLocation || /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? redactUrl(value) : value
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, name))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key)]))
  return value
}
