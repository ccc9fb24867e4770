const SECRET = /key|secret|password|token|authorization/i
const LOCATION = /urls?$/i
const HIDDEN = '[redacted]'

/** Protocols of databases: the path of their URL is the name or number of a database. */
const DATABASES = new Set(['postgres:', 'postgresql:', 'redis:', 'rediss:'])

/**
 * A URL without parts that may be secret: the password, and path and query of everything but a database, because RPC
 * providers put keys there. Text that only resembles a URL is hidden completely.
 */
function redactUrl(text: string): string {
  const url = URL.parse(text)
  if (!url?.host) return HIDDEN
  const user = url.username || url.password ? `${HIDDEN}@` : ''
  const hasMore = url.pathname.length + url.search.length + url.hash.length > 1
  const rest = DATABASES.has(url.protocol) ? url.pathname : hasMore ? `/${HIDDEN}` : ''
  return `${url.protocol}//${user}${url.host}${rest}`
}

/**
 * A copy of a configuration that may be shown: keys are hidden, URLs are reduced to their host, amounts become
 * decimal text.
 */
export function redact(value: unknown, name?: PropertyKey): unknown {
  if (typeof name === 'string' && SECRET.test(name) && value !== undefined)
    return Array.isArray(value) ? value.map(() => HIDDEN) : HIDDEN
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') {
    // Text that should be a URL but is not may be one without its protocol, including a key.
    const isLocation = typeof name === 'string' && LOCATION.test(name)
    return isLocation || /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? redactUrl(value) : value
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, name))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key)]))
  return value
}
