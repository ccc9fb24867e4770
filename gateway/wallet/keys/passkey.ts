/** The authenticator hashes it into the secret: another text would give every user another wallet. */
const SALT = new TextEncoder().encode('stealth-relay wallet v1')

/** The passkey cannot give a secret (WebAuthn's PRF). */
export class PasskeyWithoutSecret extends Error {
  override name = 'PasskeyWithoutSecret'
}

/** True if the browser knows passkeys, and the page stands under a name. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname)

/**
 * Makes a passkey of this page and reads its secret.
 * @returns 32 bytes, the same at each use of the passkey, on all devices that have it.
 * @throws PasskeyWithoutSecret; DOMException if the user refuses.
 */
export async function createPasskey(label: string): Promise<Uint8Array<ArrayBuffer>> {
  const made = await navigator.credentials.create({
    publicKey: {
      rp: { name: label, id: location.hostname },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: label, displayName: label },
      challenge: createChallenge(),
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      extensions: { prf: { eval: { first: SALT } } },
    },
  })
  const { prf } = extensionsOf(made)
  if (prf?.results?.first) return bytesOf(prf.results.first)
  if (prf?.enabled === false || !made) throw new PasskeyWithoutSecret()
  // Some authenticators give the secret only at a use.
  return readPasskey(made.id)
}

/**
 * Reads the secret of a passkey that the user chooses.
 * @throws PasskeyWithoutSecret; DOMException if the user refuses, or has none.
 */
export async function readPasskey(id?: string): Promise<Uint8Array<ArrayBuffer>> {
  const used = await navigator.credentials.get({
    publicKey: {
      rpId: location.hostname,
      challenge: createChallenge(),
      userVerification: 'required',
      ...(id && { allowCredentials: [{ type: 'public-key', id: fromBase64Url(id) }] }),
      extensions: { prf: { eval: { first: SALT } } },
    },
  })
  const first = extensionsOf(used).prf?.results?.first
  if (!first) throw new PasskeyWithoutSecret()
  return bytesOf(first)
}

/** No party verifies the answer: the secret alone signs in, and the service never sees the passkey. */
const createChallenge = () => crypto.getRandomValues(new Uint8Array(32))

const extensionsOf = (credential: Credential | null): AuthenticationExtensionsClientOutputs =>
  (credential as PublicKeyCredential | null)?.getClientExtensionResults() ?? {}

const bytesOf = (source: BufferSource): Uint8Array<ArrayBuffer> =>
  source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength)

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
