import type { Address } from 'viem'
import { createHash } from 'node:crypto'

/** The client's protection of its keys, as reported at sign-in; `unknown` for API keys and old tokens. */
export type KeyAccessMethod = 'passkey_prf' | 'wallet_pin' | 'unknown'

/** A permission of a token: queries need `read`, mutations need `write`. */
export type Scope = 'read' | 'write'

/** The holder of a bearer token. */
export interface Principal {
  /** `session`: signed in. `extension`: by the OAuth flow. `api-key`: issued by the operator. */
  kind: 'session' | 'extension' | 'api-key'
  /** Key of the principal's share of a rate limit: the same for all tokens of one account. Never shown or logged. */
  id: string
  /** Address of the spending key; null for API keys. */
  authAddress: Address | null
  /** Null until the account is registered. */
  accountId: string | null
  keyAccessMethod: KeyAccessMethod
  scopes: ReadonlySet<Scope>
  /** Id of the token itself, for revocation. */
  tokenId: string
  /** Milliseconds since 1970 at which the token expires; null for API keys, which the operator ends. */
  expiresAt: number | null
}

/**
 * Returns one id for all tokens of a signer, before and after the account exists. It is hashed, because Redis stores
 * it as a key.
 */
export function principalId(authAddress: Address): string {
  return createHash('sha256').update(`principal ${authAddress.toLowerCase()}`).digest('hex').slice(0, 32)
}
