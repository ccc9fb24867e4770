// SPDX-License-Identifier: MIT
import { RETRIES, type ErrorMembers } from './operations.ts'

/** The code of an error that the service declares. */
export type ErrorCode = keyof ErrorMembers

/** An error's body, by its code: `switch (refusal.code)` narrows the other members. */
export type ErrorBody = {
  [Code in ErrorCode]: { code: Code; error: string; message: string } & ErrorMembers[Code]
}[ErrorCode]

/** Whether a request may succeed if it is sent again: the same one later, a changed one, or none. */
export type Retry = 'later' | 'changed' | 'never'

interface Answered {
  request: string
  status: number
  text: string
  /** Seconds, from `Retry-After`; null without the header. */
  retryAfterSeconds: number | null
}

/**
 * The service refused a request. `body` has the members of its code: `if (refusal.body?.code === 'PROVENANCE_MIX')`
 * makes `refusal.body.addresses` known.
 */
export class ServiceRefusal extends Error {
  override name = 'ServiceRefusal'
  readonly status: number
  /** Null for an error without a code, which its status describes, and for a code that this version does not know. */
  readonly body: ErrorBody | null
  /** As the error declares it. Errors without a code: 429 and 503 later, else changed. */
  readonly retry: Retry
  readonly retryAfterSeconds: number | null

  constructor({ request, status, text, retryAfterSeconds }: Answered) {
    super(`${request}: ${status} ${text}`)
    const body = readBody(text)
    this.status = status
    this.body = isKnown(body) ? body : null
    this.retry = this.body ? RETRIES[this.body.code] : [429, 503].includes(status) ? 'later' : 'changed'
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The error's code; null where {@link body} is. */
  get code(): ErrorCode | null {
    return this.body?.code ?? null
  }
}

/** True if a thrown value is a refusal with this code. */
export function isRefusal<Code extends ErrorCode>(
  thrown: unknown,
  code: Code,
): thrown is ServiceRefusal & { body: Extract<ErrorBody, { code: Code }> } {
  return thrown instanceof ServiceRefusal && thrown.code === code
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isKnown = (body: unknown): body is ErrorBody =>
  typeof body === 'object' &&
  body !== null &&
  Object.hasOwn(RETRIES, String((body as { code?: unknown }).code))
