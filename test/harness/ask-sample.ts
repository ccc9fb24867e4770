import { parseRest, type Operation } from '../../schema/define/operation.ts'
import type { Client } from '../../schema/client/account/open-client.ts'
import { sampleInput } from './sample-input.ts'

/** The asking client, and the values in the place of sample values. */
export interface Asker {
  client: Pick<Client, 'accountId' | 'token'>
  /** Inputs by the name of the member. */
  known: Readonly<Record<string, unknown>>
  /** Bodies whose members depend on each other, by the route. */
  bodies?: Readonly<Record<string, object>>
  /** Sent besides. */
  headers?: Readonly<Record<string, string>>
}

/** Calls an operation by REST with an input of the right types. */
export async function askSample(
  url: string,
  operation: Operation,
  { client, known, bodies = {}, headers = {} }: Asker,
): Promise<{ status: number; body: unknown }> {
  const fill = (members: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, known[name] ?? value]))
  const { method, path: pattern } = parseRest(operation)
  const { path, query, body } = sampleInput(operation, client.accountId)
  const asked = Object.keys(operation.input.query?.shape ?? {}).filter(
    (name) => name in query || name === 'include',
  )
  const search = new URLSearchParams(
    Object.entries(fill(Object.fromEntries(asked.map((name) => [name, query[name] ?? ''])))).map(
      ([name, value]) => [name, String(value)],
    ),
  )
  const place = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(fill(path)[name])),
  )
  const answer = await fetch(`${url}${place}?${search}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}`, ...headers },
    ...(body !== undefined && {
      body: JSON.stringify(bodies[operation.rest] ?? fill(body as Record<string, unknown>)),
    }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}
