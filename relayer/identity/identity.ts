import type { Address, Hex } from 'viem'
import type { KeyAccessMethod, Principal } from './principal.ts'

/** A sign-in by a signed message (EIP-4361). */
export interface SignInRequest {
  /** The SIWE message (EIP-4361) exactly as signed. */
  message: string
  signature: Hex
  /** The client's protection of its keys, a lower snake-case label. */
  authType: string | undefined
}

/** A completed sign-in. `accountId` is null if the address has no account. */
export interface SignIn {
  authAddress: Address
  token: string
  accountId: string | null
  keyAccessMethod: KeyAccessMethod
}

/** An extension's request for an authorization code (OAuth 2.0 with PKCE), granted by the signed-in user. */
export interface ExtensionRequest {
  clientId: string
  redirectUri: string
  state: string
  codeChallenge: string
  /** The user's connected wallet; passed through to the extension. */
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

/** An extension's token, with its account. */
export interface ExtensionToken {
  accessToken: string
  /** Lifetime in seconds. */
  expiresIn: number
  accountId: string
  authMethod: 'passkey' | 'walletPin'
  walletAddress: Address | null
}

/** The key material that a client encrypts for the server when it creates its account. */
export interface KeyMaterial {
  /** Uncompressed points, 0x04…. */
  spendPublicKey: Hex
  viewPublicKey: Hex
  /** The BIP-32 child of the viewing key, from which addresses are derived. */
  childViewKey: Hex
}

/** Sign-in, tokens and the keys of the server. */
export interface Identity {
  /** Returns 32 bytes in hex without 0x. */
  hpkePublicKey(): Promise<string>
  /** Returns the public halves of the keys that sign tokens (RFC 7517). */
  jwks(): Promise<{ keys: Record<string, unknown>[] }>
  /** Issues a nonce that signs in this address once, within five minutes. */
  issueNonce(authAddress: Address): Promise<string>
  /** @throws ServiceError `bad-request` for malformed input; `unprocessable` for a wrong signature, nonce, domain or time. */
  signIn(request: SignInRequest): Promise<SignIn>
  /**
   * Returns the principal of a bearer token. Null if it is unknown, forged, expired or revoked, or if its account is
   * disabled.
   */
  authenticate(token: string): Promise<Principal | null>
  /** Revokes the principal's token. An API key stays valid: only the operator revokes it. */
  signOut(principal: Principal): Promise<void>
  /** Issues a code for the extension, valid once and for 300 seconds. @throws ServiceError with an OAuth code. */
  authorizeExtension(
    principal: Principal,
    request: ExtensionRequest,
  ): Promise<{ code: string; accountId: string }>
  /** @throws ServiceError with an OAuth code; `invalid_grant` for any fault of the code itself. */
  exchangeCode(exchange: CodeExchange): Promise<ExtensionToken>
  /** Decrypts key material that a client encrypted with the server's HPKE key. @throws ServiceError `bad-request`. */
  openKeyMaterial(sealed: { encapsulatedKey: string; ciphertext: string }): Promise<KeyMaterial>
}
