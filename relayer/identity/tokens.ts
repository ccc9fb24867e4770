import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Address } from 'viem'
import type { KeyAccessMethod } from './principal.ts'
import type { TokenSigningKey } from './key-kinds.ts'
import type { ServerKeys } from './server-keys.ts'
import { hash } from 'node:crypto'
import { SharedPlaces } from '../shares/shared-places.ts'

/** The claims of a token; revocation and the account are read from the database. */
export interface TokenClaims {
  kind: 'session' | 'extension'
  authAddress: Address
  keyAccessMethod: KeyAccessMethod
  tokenId: string
}

/** The claims of a token that was read. */
export interface ReadClaims extends TokenClaims {
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Issues and reads the service's access tokens. */
export interface AccessTokens {
  /**
   * Issues a token. May read the keys from the database: inside a transaction that could wait for a connection while
   * holding one.
   */
  issue(claims: TokenClaims, seconds: number): Promise<string>
  /** Reads a token. Null if this service did not sign it, or if it is for another audience or has expired. */
  read(token: string): Promise<ReadClaims | null>
}

const ALGORITHM = 'ES256'
const TYPE = 'at+jwt'
/** Limit of characters; tokens of this service have about 500. */
const MAX_LENGTH = 2_048

const payloadShape = z.object({
  sub: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  jti: z.uuid(),
  knd: z.enum(['session', 'extension']),
  kam: z.enum(['passkey_prf', 'wallet_pin', 'unknown']),
  exp: z.number(),
})

/** Creates the JWTs of this service, signed by ES256 with the current token key. */
export function createAccessTokens(
  keys: ServerKeys<TokenSigningKey>,
  { issuer, audience }: { issuer: string; audience: string },
): AccessTokens {
  const verified = createVerifiedTokens()

  const verify = (token: string) =>
    jwtVerify(token, async ({ kid }) => (await findKey(keys, kid)).publicKey, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'jti'],
    })

  return {
    async issue({ kind, authAddress, keyAccessMethod, tokenId }, seconds) {
      const key = await keys.current()
      const issuedAt = Math.floor(Date.now() / 1_000)
      return new SignJWT({ knd: kind, kam: keyAccessMethod })
        .setProtectedHeader({ alg: ALGORITHM, kid: key.keyId, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(authAddress)
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .sign(key.privateKey)
    },
    async read(token) {
      if (token.length > MAX_LENGTH) return null
      const known = verified.find(token)
      if (known && (await keys.all()).some(({ keyId }) => keyId === known.keyId)) return known.claims
      try {
        const { payload, protectedHeader } = await verify(token)
        const { sub, jti, knd, kam, exp } = payloadShape.parse(payload)
        const authAddress = sub as Address
        const claims: ReadClaims = {
          kind: knd,
          authAddress,
          keyAccessMethod: kam,
          tokenId: jti,
          expiresAt: exp * 1_000,
        }
        verified.add(token, { claims, keyId: protectedHeader.kid ?? '', expiresAt: exp })
        return claims
      } catch (error) {
        if (isVerdict(error)) return null
        throw error
      }
    },
  }
}

async function findKey(
  keys: ServerKeys<TokenSigningKey>,
  keyId: string | undefined,
): Promise<TokenSigningKey> {
  const find = async () => (await keys.all()).find((key) => key.keyId === keyId)
  const known = await find()
  if (known) return known
  // Another instance may have signed with a newer key than those loaded here.
  await keys.refresh()
  const found = await find()
  if (!found) throw new UnknownKeyError('No key has that id')
  return found
}

class UnknownKeyError extends Error {
  override name = 'UnknownKeyError'
}

/** True if an error concerns the token, not the database. */
function isVerdict(error: unknown): boolean {
  return error instanceof UnknownKeyError || error instanceof z.ZodError || error instanceof errors.JOSEError
}

/** Maximum of cached tokens. */
const KEPT = 10_000

/** A token with a valid signature, and the conditions of that. */
interface VerifiedToken {
  claims: ReadClaims
  /** The key that signed it; the entry is void once the key is gone. */
  keyId: string
  /** Seconds since the epoch. */
  expiresAt: number
}

/**
 * A cache of verified tokens. A client sends the same token with every request, and checking a signature takes half a
 * millisecond.
 */
interface VerifiedTokens {
  /** Returns the token's entry; null if it has expired or is not cached. */
  find(token: string): VerifiedToken | null
  add(token: string, verified: VerifiedToken): void
}

/**
 * Creates the cache. It holds digests, so that a dump of it reveals no token.
 * @param now Milliseconds since the epoch.
 */
export function createVerifiedTokens(now: () => number = Date.now): VerifiedTokens {
  const verified = new SharedPlaces<string, VerifiedToken>(KEPT)
  const keyOf = (token: string) => hash('sha256', token, 'base64')
  return {
    find(token) {
      const known = verified.get(keyOf(token))
      return known && known.expiresAt > Math.floor(now() / 1_000) ? known : null
    },
    add: (token, one) => verified.set(keyOf(token), one),
  }
}
