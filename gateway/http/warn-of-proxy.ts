import type { IncomingMessage } from 'node:http'
import type { Logger } from '../logging.ts'
import { isProxied } from './proxy-headers.ts'

/**
 * Warns once when a request came through a proxy although no proxy is trusted: all clients behind the proxy then
 * share its address, and with it every limit.
 */
export function warnOfProxy(trustedProxies: number, logger: Logger): (request: IncomingMessage) => void {
  let isSilent = trustedProxies > 0
  return ({ headers }) => {
    if (isSilent || !isProxied(headers)) return
    isSilent = true
    logger.warn(
      { trustedProxies },
      'requests come through a proxy, and http.trustedProxies is 0: all clients behind it count as one. Set it to the number of proxies in front, or let the proxy remove the headers that name it or the client',
    )
  }
}
