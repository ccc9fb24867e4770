import type { Hex } from 'viem'
import { z } from 'zod'
import { readBounded } from '../../../proving/read-bounded.ts'
import type { KnownSignature } from './built-in-signatures.ts'
import { isCanonicalSignature, selectorOf } from './canonical-signature.ts'
import type { SignaturesConfig } from './config.ts'

const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_PER_SELECTOR = 100

const answer = z.object({
  ok: z.literal(true),
  result: z.object({
    function: z.record(
      z.string(),
      z.array(z.object({ name: z.string(), hasVerifiedContract: z.boolean().optional() })).nullable(),
    ),
  }),
})

/** Requests the signatures of selectors from a signature server. */
export type AskSignatureServer = (selectors: readonly Hex[]) => Promise<Map<Hex, KnownSignature[]>>

/**
 * Creates a client of Sourcify's signature API (`GET /signature-database/v1/lookup`). The server is not trusted: only
 * signatures that hash to the requested selector are kept. It learns nothing but the selectors.
 *
 * @throws Error if it does not answer in time, or breaks the protocol.
 */
export function askSignatureServer(config: NonNullable<SignaturesConfig['remote']>): AskSignatureServer {
  const { url, timeoutMs } = config

  return async (selectors) => {
    const query = new URLSearchParams({ function: selectors.join(','), filter: 'true' })
    const response = await fetch(`${url.replace(/\/+$/, '')}/signature-database/v1/lookup?${query}`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`the signature server answered ${response.status}`)
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    if (text === null) throw new Error(`the signature server answered more than ${MAX_ANSWER_BYTES} bytes`)
    const told = answer.parse(JSON.parse(text)).result.function
    return new Map(
      selectors.map((selector) => [
        selector,
        (told[selector] ?? [])
          .slice(0, MAX_PER_SELECTOR)
          .filter(({ name }) => isCanonicalSignature(name) && selectorOf(name) === selector)
          .map(({ name, hasVerifiedContract }) => ({
            signature: name,
            source: hasVerifiedContract === true ? ('verified' as const) : ('reported' as const),
          })),
      ]),
    )
  }
}
