/**
 * Whether an Accept header prefers text/plain over JSON (RFC 9110, 12.5.1). JSON is preferred if both have the same
 * weight or the header is absent.
 */
export function prefersPlainText(accept: string | undefined): boolean {
  if (!accept) return false
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
  const weigh = (type: string) => {
    for (const pattern of [type, `${type.split('/')[0]}/*`, '*/*']) {
      const range = ranges.find(([name]) => name === pattern)
      if (!range) continue
      const weight = Number(range.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
      return Number.isFinite(weight) ? weight : 0
    }
    return 0
  }
  return weigh('text/plain') > weigh('application/json')
}
