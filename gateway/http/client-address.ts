import type { IncomingMessage } from 'node:http'

/**
 * The client's address: the peer's, or behind `trustedProxies` proxies the entry of X-Forwarded-For that the
 * outermost of them appended. Entries further left are the client's own words.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? ''
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const told = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  return (told ? withoutPort(told) : peer).replace(/^::ffff:/, '')
}

/** Some proxies write the port too: with it, each connection would count as another client. */
function withoutPort(told: string): string {
  return told.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
}
