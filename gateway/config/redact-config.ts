const SECRET = /key|secret|password|token|authorization/i
const LOCATION = /urls?$/i
const HIDDEN = '[redacted]'

/** An address without what may be secret in it: the password of a server, the path and query where RPC providers put keys. */
function redactUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return HIDDEN
  const user = url.username || url.password ? `${HIDDEN}@` : ''
  const isRpc = url.protocol.startsWith('http')
  const rest = isRpc && url.pathname.length + url.search.length > 1 ? `/${HIDDEN}` : isRpc ? '' : url.pathname
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
