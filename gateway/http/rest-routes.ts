import { invoke, invokeInParts, invokeText, type RawInput } from '../../schema/define/invoke.ts'
import type { OperationContext } from '../../schema/define/context.ts'
import { parseRest, type Operation } from '../../schema/define/operation.ts'
import { answerParts } from './answer-parts.ts'
import { failureBody } from '../errors.ts'
import { STRANGERS_BODY } from './read-body.ts'
import { readJson } from '../route/read-json.ts'
import { shareAnswer } from '../route/share-answer.ts'
import { textAnswer, type HttpRequest, type Route } from '../route/route.ts'
import { badRequest } from '../../relayer/errors.ts'
import type { z } from 'zod'
import { inspectShape } from '../../schema/define/inspect-shape.ts'

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
      const answer = {
        status: operation.status,
        headers: { 'content-type': 'application/json' },
        body: await invokeText(operation, input, context),
      }
      return operation.sharedSeconds ? shareAnswer(request, answer, operation.sharedSeconds) : answer
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

/**
 * Whether an Accept header prefers text/plain over JSON (RFC 9110, 12.5.1). JSON is preferred if both have the same
 * weight or the header is absent.
 */
function prefersPlainText(accept: string | undefined): boolean {
  if (!accept) return false
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
  const weigh = (type: string) => {
    for (const pattern of [type, `${type.split('/')[0]}/*`, '*/*']) {
      const range = ranges.find(([name]) => name === pattern)
      if (!range) continue
      const weight = Number(range.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
      return Number.isFinite(weight) ? weight : 0
    }
    return 0
  }
  return weigh('text/plain') > weigh('application/json')
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

const isForm = (request: HttpRequest) => FORM_TYPE.test(request.headers['content-type'] ?? '')

/**
 * The members of a form that was sent as the body, all of them text. OAuth clients send forms (RFC 6749).
 *
 * @throws ServiceError `bad-request` when a member is given twice, HttpError 413.
 */
async function readForm(request: HttpRequest, most?: number): Promise<Record<string, string>> {
  const members = [...new URLSearchParams((await request.readBody(most)).toString('utf8'))]
  if (new Set(members.map(([name]) => name)).size !== members.length)
    throw badRequest('The body gives a member more than once')
  return Object.fromEntries(members)
}

/**
 * Parses path or query parameters by their shape: text stays text; numbers and booleans are parsed where the shape
 * has one. Lists are split at commas, and a list that is given repeatedly has the items of all occurrences. Text that
 * cannot be parsed is left unchanged, and the validation refuses it.
 *
 * @throws ServiceError `bad-request` when a parameter that is not a list is given twice.
 */
function readText(
  shape: z.ZodObject,
  pairs: readonly (readonly [string, string])[],
  place: 'path' | 'query',
): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, text] of pairs) {
    const member = Object.hasOwn(shape.shape, name) ? shape.shape[name] : undefined
    if (!member) continue
    const value = readValue(member, text)
    const before = values.get(name)
    if (Array.isArray(before) && Array.isArray(value)) values.set(name, [...before, ...value])
    else if (values.has(name)) throw badRequest(`${place}.${name}: is given more than once`)
    else values.set(name, value)
  }
  return Object.fromEntries(values)
}

function readValue(member: z.core.$ZodType, text: string): unknown {
  const { base } = inspectShape(member)
  switch (base._zod.def.type) {
    case 'number':
      return /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'array':
      return text === '' ? [] : text.split(',')
    default:
      return text
  }
}
