import type { ExecutionResult } from 'graphql'
import { processRegularResult, type FetchAPI } from 'graphql-yoga'

/** Yoga's answer for a result, with its body as text: the runtime's Response would cost more than all the rest. */
class PlainResponse {
  readonly body: string
  readonly status: number
  readonly headers: Record<string, string>

  constructor(body: string, { status, headers }: { status: number; headers: Record<string, string> }) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

const PLAIN = { Response: PlainResponse } as unknown as FetchAPI

/** Formats a result as Yoga does, by the type that the client accepts. */
export const writeResult = (
  result: ExecutionResult,
  type: 'application/json' | 'application/graphql-response+json' = 'application/json',
): PlainResponse => processRegularResult(result, PLAIN, type) as unknown as PlainResponse
