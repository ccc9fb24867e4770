import { generateKeyPairSync } from 'node:crypto'
import { createQuoteSigner, type QuoteSigner } from '../../../proving/signing/quote-signer.ts'
import type { KeyKind } from '../../identity/server-keys.ts'

/** ECDSA on P-256, PKCS#8 in PEM. */
export const quoteKeys: KeyKind<QuoteSigner> = {
  purpose: 'quote',
  async make() {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  },
  open: async (secret) => createQuoteSigner(Buffer.from(secret).toString()),
}
