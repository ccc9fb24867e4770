/** Longer tokens are not from this service. */
const MOST = 4_096

/** The token of an Authorization header (RFC 6750); null without one, and for any other content. */
export function readBearer(header: string | undefined): string | null {
  if (header === undefined || header.length > MOST) return null
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1] ?? null
}
