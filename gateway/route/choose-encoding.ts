import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'

/** Bytes. Compressing shorter answers saves less than the additional headers cost. */
export const WORTH_COMPRESSING = 1_024

/** A content coding of RFC 9110, 8.4.1. */
export type Encoding = 'br' | 'gzip'

/**
 * The first offered encoding that the client accepts, by RFC 9110, 12.5.3; null if it accepts none.
 * @param offered In the server's order of preference: browsers list all with the same weight.
 */
export function chooseEncoding<Offered extends Encoding>(
  headers: IncomingHttpHeaders,
  offered: readonly Offered[],
): Offered | null {
  const accepted = new Negotiator({ headers }).encodings([...offered])
  return offered.find((one) => accepted.includes(one)) ?? null
}
