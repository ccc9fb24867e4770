import type { Address, Hex } from 'viem'
import type { KeyAccessMethod, Principal } from './principal.ts'

/** A sign-in by a signed message (EIP-4361). */
export interface SignInRequest {
  /** The SIWE message (EIP-4361) as it was signed. */
  message: string
  signature: Hex
  /** How the client guards its keys, a lower snake-case label. */
  authType: string | undefined
}

/** A completed sign-in. `accountId` is null while the address has no account. */
export interface SignIn {
  authAddress: Address
  token: string
  accountId: string | null
  keyAccessMethod: KeyAccessMethod
}

/**
 * An extension's request for an authorization code (OAuth 2.0 with PKCE), which the signed-in user has granted.
 */
export interface ExtensionRequest {
  clientId: string
  redirectUri: string
  state: string
  codeChallenge: string
  /** The wallet that the user connected; handed through to the extension. */
  walletAddress: Address | undefined
}

/** An extension's request to exchange its code for a token. */
export interface CodeExchange {
  grantType: string | undefined
  code: string
  codeVerifier: string
  clientId: string
  redirectUri: string
}

/** The token that an extension gets, with the account it is for. */
export interface ExtensionToken {
  accessToken: string
  /** Seconds. */
  expiresIn: number
  accountId: string
  authMethod: 'passkey' | 'walletPin'
  walletAddress: Address | null
}

/** What a client encrypts for the server when it creates its account. */
export interface KeyMaterial {
  /** Uncompressed points, 0x04…. */
  spendPublicKey: Hex
  viewPublicKey: Hex
  /** The BIP-32 child of the viewing key from which addresses are derived. */
  childViewKey: Hex
}

/** Sign-in, tokens and the keys of the server. */
export interface Identity {
  /** 32 bytes in hex without 0x. */
  hpkePublicKey(): Promise<string>
  /** Public halves of the keys that sign tokens (RFC 7517). */
  jwks(): Promise<{ keys: Record<string, unknown>[] }>
  /** A nonce that signs in this address once, within five minutes. */
  issueNonce(authAddress: Address): Promise<string>
  /** @throws ServiceError `bad-request` for what cannot be parsed, `unprocessable` for a wrong signature, nonce, domain or time. */
  signIn(request: SignInRequest): Promise<SignIn>
  /** Who a bearer token speaks for; null when it is unknown, forged, expired, revoked, or its account is disabled. */
  authenticate(token: string): Promise<Principal | null>
  /** Revokes the token that the principal came with; an API key is the operator's to revoke and stays. */
  signOut(principal: Principal): Promise<void>
  /** A code for the extension, good once and for 300 seconds. @throws ServiceError with an OAuth code. */
  authorizeExtension(
    principal: Principal,
    request: ExtensionRequest,
  ): Promise<{ code: string; accountId: string }>
  /** @throws ServiceError with an OAuth code; whatever is wrong with the code itself is `invalid_grant`. */
  exchangeCode(exchange: CodeExchange): Promise<ExtensionToken>
  /** Decrypts what a client encrypted with the server's HPKE key. @throws ServiceError `bad-request`. */
  openKeyMaterial(sealed: { encapsulatedKey: string; ciphertext: string }): Promise<KeyMaterial>
}
