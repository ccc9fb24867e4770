import { z } from 'zod'

const origin = z
  .string()
  .refine((text) => isAppOrigin(text, { loopback: true }), 'expected an origin: https://host')

/** Recognised and blocked apps. */
export const appsConfig = z.strictObject({
  recognised: z
    .array(
      z.strictObject({
        origin: origin.describe('The origin of the app as a browser writes it.'),
        displayName: z.string().min(1).max(64).describe('The name that accounts are shown.'),
        iconUrl: z
          .url({ protocol: /^https$/ })
          .nullable()
          .default(null)
          .describe('An https address of its picture. Only clients fetch it, never the service.'),
      }),
    )
    .max(10_000)
    .default([])
    .describe('Apps shown with a name and an icon; `verified` only for exactly this origin.'),
  blocked: z.array(origin).max(100_000).default([]).describe('Origins that get no address and no quote.'),
})

/** The parsed settings. */
export type AppsConfig = z.output<typeof appsConfig>

const MAX_LENGTH = 255
const LOOPBACK = '127.0.0.1'
/** A host that a browser parses as an IP address: up to four numbers, decimal or hex, or IPv6 in brackets. */
const IP = /^(?:\[.*\]|[0-9.]+|.*\.(?:0x[0-9a-f]*|[0-9]+))$/

/**
 * True if a text is a page's origin as a browser writes it (HTML standard, "serialization of an origin"). It has a
 * scheme, a host in punycode, and a port unless it is the default. Only https, except for `http://localhost`. An IP
 * address is rejected, because it does not identify the site behind it.
 *
 * @param loopback True on a devnet: accepts 127.0.0.1 like localhost.
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
