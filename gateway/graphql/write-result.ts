import type { ExecutionResult, GraphQLError } from 'graphql'
import type { HttpAnswer } from '../route/route.ts'
import type { AnswerType } from './accepted-type.ts'

interface HttpPart {
  status?: number
  spec?: boolean
  headers?: Readonly<Record<string, string>>
}

const httpOf = (error: GraphQLError) => (error.extensions['http'] ?? {}) as HttpPart

/** Status and headers of an answer: those that its errors ask for, 200 where none does. */
export function describeAnswer(
  errors: ExecutionResult['errors'],
  type: AnswerType,
): { status: number; headers: Record<string, string> } {
  let status = 0
  const headers: Record<string, string> = {}
  for (const { status: wanted, spec, headers: more } of errors?.map(httpOf) ?? []) {
    Object.assign(headers, more)
    // Faults of a document are no failure of HTTP to a client that wants plain JSON.
    if (wanted !== undefined && !(spec && type !== 'application/graphql-response+json'))
      status = Math.max(status, wanted)
  }
  return { status: status || 200, headers }
}

/** A result as JSON, without what is said to HTTP alone. */
export function writeResult(result: ExecutionResult): string {
  const { errors } = result
  if (!errors) return JSON.stringify(result)
  return JSON.stringify({
    ...result,
    errors: errors.map((error) => {
      const { extensions: { http: _, ...extensions } = {}, ...written } = error.toJSON()
      return { ...written, ...(Object.keys(extensions).length > 0 && { extensions }) }
    }),
  })
}

/** A whole answer. */
export function answerResult(
  result: ExecutionResult | string,
  type: Exclude<AnswerType, 'text/event-stream'>,
): HttpAnswer {
  const { status, headers } = describeAnswer(typeof result === 'string' ? undefined : result.errors, type)
  return {
    status,
    headers: { ...headers, 'content-type': `${type}; charset=utf-8` },
    body: typeof result === 'string' ? result : writeResult(result),
  }
}
