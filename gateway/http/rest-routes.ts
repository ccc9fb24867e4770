import { invoke, invokeInParts, invokeText, type RawInput } from '../../schema/define/invoke.ts'
import type { OperationContext } from '../../schema/define/context.ts'
import { parseRest, type Operation } from '../../schema/define/operation.ts'
import { answerParts } from './answer-parts.ts'
import { failureBody } from '../errors.ts'
import { STRANGERS_BODY } from './read-body.ts'
import { prefersPlainText } from './prefers-plain-text.ts'
import { isForm, readForm } from './read-form.ts'
import { readJson } from '../route/read-json.ts'
import { readText } from './read-text.ts'
import { textAnswer, type HttpRequest, type Route } from '../route/route.ts'

/** One route per operation of the table, each calling `invoke` directly. */
export function restRoutes(
  operations: readonly Operation[],
  createContext: (request: HttpRequest) => OperationContext,
): Route[] {
  return operations.map((operation) => ({
    ...parseRest(operation),
    name: operation.name,
    failureBody: (failure) => failureBody(failure, operation.errorShape),
    async handle(request) {
      const { answerInParts } = operation
      if (answerInParts)
        return answerParts(
          request,
          await invokeInParts(
            { ...operation, answerInParts },
            readInput(operation, request),
            createContext(request),
          ),
        )
      const input = readInput(operation, request)
      const context = createContext(request)
      if (operation.plainText && prefersPlainText(request.headers.accept))
        return textAnswer(operation.status, String(await invoke(operation, input, context)))
      return {
        status: operation.status,
        headers: { 'content-type': 'application/json' },
        body: await invokeText(operation, input, context),
      }
    },
  }))
}

function readInput(operation: Operation, request: HttpRequest): RawInput {
  const { path, query, body } = operation.input
  return {
    ...(path && { path: readText(path, Object.entries(request.params), 'path') }),
    ...(query && { query: readText(query, [...request.query], 'query') }),
    ...(body && { readBody: () => readBody(operation, request) }),
  }
}

function readBody(operation: Operation, request: HttpRequest): Promise<unknown> {
  const most = operation.access === 'bearer' ? undefined : STRANGERS_BODY
  return operation.form && isForm(request) ? readForm(request, most) : readJson(request, most)
}
