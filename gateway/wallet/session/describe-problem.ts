import type { ServiceRefusal } from 'stealth-relay/client'
import type { CombinedError } from 'urql'
import { PasskeyWithoutSecret } from '../keys/passkey.ts'
import type { CircuitFileProblem } from '../prover/load-circuit-file.ts'
import { TEXTS } from '../texts.ts'

/** A failure in words for the user. */
export function describeProblem(error: unknown): string {
  if (error instanceof PasskeyWithoutSecret) return TEXTS.passkey.noSecret
  if (error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name))
    return TEXTS.passkey.cancelled
  if (isNamed<CombinedError>(error, 'CombinedError'))
    return describeProblem(error.networkError ?? error.graphQLErrors[0])
  if (isNamed<ServiceRefusal>(error, 'ServiceRefusal'))
    return TEXTS.refusals[error.code ?? ''] ?? error.body?.message ?? TEXTS.unexpected
  if (isNamed<CircuitFileProblem>(error, 'CircuitFileProblem'))
    return error.kind === 'lost' ? TEXTS.lost : TEXTS.pools.alteredFile
  // `fetch` throws it where the connection ends without an answer.
  if (error instanceof TypeError) return TEXTS.lost
  return error instanceof Error ? `${TEXTS.unexpected} ${error.message}` : TEXTS.unexpected
}

/** By its name: its class would bring the program that throws it onto the first screen. */
const isNamed = <Problem extends Error>(error: unknown, name: Problem['name']): error is Problem =>
  error instanceof Error && error.name === name
