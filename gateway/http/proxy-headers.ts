import type { IncomingHttpHeaders } from 'node:http'

/** Headers by which reverse proxies, load balancers and networks of caches name themselves or the client. No browser sends one. */
const NAMES = [
  'forwarded',
  'via',
  'cdn-loop',
  'x-forwarded(-.*)?',
  'x-forwarder-for',
  'x-original-.*',
  'x-originating-ip',
  'x-(real|client|remote|cluster-client|proxyuser)-(ip|addr)',
  '(wl-)?proxy-client-ip',
  'true-client-ip',
  '(do|ali-cdn-real|incap-client)(-connecting)?-ip',
  'cf-.*',
  'fastly-.*',
  'fly-.*',
  'akamai-.*',
  'x-(akamai|amzn?|appengine|appgw|arr|azure|envoy|nf|sucuri|vercel)-.*',
  'x-cloud-trace-context',
].join('|')
const PROXY_HEADER = new RegExp(`^(?:${NAMES})$`)

/** True if a request came through a proxy, judging by its headers. */
export const isProxied = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => PROXY_HEADER.test(name))
