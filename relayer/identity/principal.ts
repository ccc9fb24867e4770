import type { Address } from 'viem'

/** How the client guards its keys, as it said when it signed in; API keys and old tokens say nothing. */
export type KeyAccessMethod = 'passkey_prf' | 'wallet_pin' | 'unknown'

/** What a token may do: queries need `read`, mutations need `write`. */
export type Scope = 'read' | 'write'

/** Who a bearer token speaks for. */
export interface Principal {
  /** session: signed in. extension: by the OAuth flow. api-key: issued by the operator. */
  kind: 'session' | 'extension' | 'api-key'
  /** Names whose share of a rate limit is taken: the same for all tokens of one account. Never shown or logged. */
  id: string
  /** Address of the spending key; null for API keys. */
  authAddress: Address | null
  /** Null until the account is registered. */
  accountId: string | null
  keyAccessMethod: KeyAccessMethod
  scopes: ReadonlySet<Scope>
  /** Names the token itself, so that it can be revoked. */
  tokenId: string
}
