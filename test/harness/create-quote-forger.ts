import { generateKeyPairSync, sign } from 'node:crypto'
import { canonicalize, type Json } from '../../schema/client/quotes/verify-quote.ts'

/** Signs quotes as the service does, with a key of its own: for tests of a client's refusals of signed quotes. */
export interface QuoteForger {
  /** As GET /v1/.well-known/quote-signer-public-key would answer it. */
  key: { publicKey: string; format: string; curve: string; algorithm: string }
  sign<Quote extends object>(quote: Quote): Quote
}

/** Creates one with a fresh P-256 key. */
export function createQuoteForger(): QuoteForger {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = [Buffer.of(4), Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]
  return {
    key: {
      publicKey: Buffer.concat(point).toString('hex'),
      format: 'hex',
      curve: 'P-256',
      algorithm: 'ECDSA',
    },
    sign<Quote extends object>(quote: Quote): Quote {
      const { signature: _, ...terms } = quote as unknown as Record<string, Json>
      const bytes = sign('sha256', Buffer.from(canonicalize(terms)), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return { ...terms, signature: `0x${bytes.toString('hex')}` } as unknown as Quote
    },
  }
}
