import type { Hex } from 'viem'
import { type QuoteSigner, createQuoteSigner } from '../../../proving/signing/quote-signer.ts'
import canonicalize from 'canonicalize'
import { openServerKeys, type KeyKind } from '../../identity/server-keys.ts'
import type { Vault } from '../../identity/vault.ts'
import { generateKeyPairSync } from 'node:crypto'

/**
 * Signs a quote in the client's form, complete except the signature.
 * @returns ECDSA on P-256 over SHA-256 of the signed text, 64 bytes r‖s; and that text. GraphQL returns it, because a
 * selection of members cannot be verified.
 */
export async function signQuote(
  signer: QuoteSigner,
  quote: object,
): Promise<{ signature: Hex; signedPayload: string }> {
  const signedPayload = canonicalizeQuote(quote)
  return { signature: await signer.sign(new TextEncoder().encode(signedPayload)), signedPayload }
}

/**
 * Returns the text that a quote's signature covers, as canonical JSON (RFC 8785). It is the whole quote without
 * `signature` and without members that are null or absent. GraphQL answers null where REST omits a member: both give
 * the same text.
 * @throws TypeError for a bigint, Error for a number or text that JSON cannot hold: amounts must already be decimal
 * strings.
 */
export function canonicalizeQuote(quote: object): string {
  const { signature: _, ...signed } = quote as { signature?: unknown }
  const text = canonicalize(dropNulls(signed))
  if (text === undefined) throw new TypeError('a quote without content')
  return text
}

/** Drops members that are null, at any depth; a null in a list stays, because positions count there. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, dropNulls(member)]),
  )
}

/**
 * Opens the key that signs quotes: the configured one, else the one that instances share through the database.
 * @throws VaultError when the shared key is sealed under a master key that is not configured.
 */
export async function openQuoteSigner({
  database,
  vault,
  quoteKey,
}: {
  database: Parameters<typeof openServerKeys>[1]['database']
  vault: Vault
  /** PKCS#8 in PEM; absent to share one. */
  quoteKey: string | undefined
}): Promise<QuoteSigner> {
  if (quoteKey) return createQuoteSigner(quoteKey)
  const keys = await openServerKeys(quoteKeys, { database, vault, overlapSeconds: 0 })
  return keys.current()
}

/** ECDSA on P-256, PKCS#8 in PEM. */
const quoteKeys: KeyKind<QuoteSigner> = {
  purpose: 'quote',
  async make() {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  },
  open: async (secret) => createQuoteSigner(Buffer.from(secret).toString()),
}
