// SPDX-License-Identifier: MIT
import { askService, type Connection } from './ask-service.ts'
import { OPERATIONS, type Operations } from './operations.ts'

/** The name of an operation: `createQuote`. */
export type OperationName = keyof Operations
type Input<Name extends OperationName> = Pick<Operations[Name], 'path' | 'query' | 'body'>
type Empty = Record<string, never>
/** The places of an operation's input that have to be given; `{}` and undefined may be left out. */
type Needed<Places> = {
  [
    Place in keyof Places as Places[Place] extends undefined
      ? never
      : object extends Places[Place]
        ? never
        : Place
  ]: Places[Place]
} & {
  [Place in keyof Places as object extends Places[Place] ? Place : never]?: Places[Place]
}
/** The input of an operation by place: `{ path, query, body }`. */
export type InputOf<Name extends OperationName> = Needed<Input<Name>>
/** The answer of an operation, in wire form. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer']

/**
 * Calls an operation of the API by its name, with the types of its input and answer.
 * @throws ServiceRefusal where the service refuses.
 */
export function callOperation<Name extends OperationName>(
  url: string,
  name: Name,
  input: InputOf<Name>,
  connection: Connection = {},
): Promise<AnswerOf<Name>> {
  const { path = {}, query = {}, body } = input as { path?: Empty; query?: Empty; body?: unknown }
  const [method, template] = OPERATIONS[name]
  return askService<AnswerOf<Name>>(url, method, pathOf(template, path, query), body, connection)
}

function pathOf(template: string, path: Empty, query: Empty): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  )
  const given = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== undefined)
  // Lists are written as `a=1,2`.
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return search.size > 0 ? `${filled}?${search}` : filled
}
