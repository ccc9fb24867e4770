import type { IncomingMessage } from 'node:http'

/**
 * The client's address: the peer's address, or behind `trustedProxies` proxies the entry of X-Forwarded-For that the
 * outermost trusted proxy appended. The client itself may have written the entries to the left of it.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? ''
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const entry = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined
  return (entry ? withoutPort(entry) : peer).replace(/^::ffff:/, '')
}

/** Some proxies append the port as well; with the port, each connection would count as another client. */
function withoutPort(entry: string): string {
  return entry.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
}
