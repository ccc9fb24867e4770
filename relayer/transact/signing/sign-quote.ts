import type { Hex } from 'viem'
import type { QuoteSigner } from '../../../proving/signing/quote-signer.ts'
import { canonicalizeQuote } from './canonical-quote.ts'

/** The signature of a quote with the text that it covers. */
export interface QuoteSignature {
  /** ECDSA on P-256 over SHA-256 of the text: 64 bytes r‖s. */
  signature: Hex
  /** The signed text. GraphQL returns it, because a selection of members cannot be verified. */
  signedPayload: string
}

/** Signs a quote in the client's form, complete except the signature. */
export async function signQuote(signer: QuoteSigner, quote: object): Promise<QuoteSignature> {
  const signedPayload = canonicalizeQuote(quote)
  return { signature: await signer.sign(new TextEncoder().encode(signedPayload)), signedPayload }
}
