const MAX_LENGTH = 255
const LOOPBACK = '127.0.0.1'
/** A host that a browser reads as an address: four numbers, also fewer or in hex; or IPv6 in brackets. */
const IP = /^(?:\[.*\]|[0-9.]+|.*\.(?:0x[0-9a-f]*|[0-9]+))$/

/**
 * Whether a text is the origin of a page as a browser writes it (HTML standard, "serialization of an origin"): scheme, host
 * in punycode and a port that is not the default. https only, but for `http://localhost`. An address of the network is none,
 * because it says nothing about who answers there.
 *
 * @param loopback Whether 127.0.0.1 counts as localhost does: on a devnet.
 */
export function isAppOrigin(text: string, { loopback }: { loopback: boolean }): boolean {
  if (text.length > MAX_LENGTH) return false
  const url = URL.parse(text)
  if (!url || url.origin !== text) return false
  const { protocol, hostname } = url
  if (hostname === LOOPBACK) return loopback && (protocol === 'http:' || protocol === 'https:')
  if (hostname === 'localhost') return protocol === 'http:' || protocol === 'https:'
  return protocol === 'https:' && hostname.includes('.') && !hostname.endsWith('.') && !IP.test(hostname)
}
