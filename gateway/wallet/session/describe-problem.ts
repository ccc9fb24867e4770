import { ServiceRefusal } from 'stealth-relay/client'
import type { CombinedError } from 'urql'
import { PasskeyWithoutSecret } from '../keys/passkey.ts'
import { CircuitFileProblem } from '../prover/load-circuit-file.ts'
import { TEXTS } from '../texts.ts'

/** A failure in words for the user. */
export function describeProblem(error: unknown): string {
  if (error instanceof PasskeyWithoutSecret) return TEXTS.passkey.noSecret
  if (error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name))
    return TEXTS.passkey.cancelled
  if (isCombined(error)) return describeProblem(error.networkError ?? error.graphQLErrors[0])
  if (error instanceof ServiceRefusal)
    return TEXTS.refusals[error.code ?? ''] ?? error.body?.message ?? TEXTS.unexpected
  if (error instanceof CircuitFileProblem) return error.kind === 'lost' ? TEXTS.lost : TEXTS.pools.alteredFile
  // `fetch` throws it where the connection ends without an answer.
  if (error instanceof TypeError) return TEXTS.lost
  return error instanceof Error ? `${TEXTS.unexpected} ${error.message}` : TEXTS.unexpected
}

/** By its name: its class would bring urql onto the first screen. */
const isCombined = (error: unknown): error is CombinedError =>
  error instanceof Error && error.name === 'CombinedError'
