// SPDX-License-Identifier: MIT
import { askService, type Connection } from './ask-service.ts'
import { ServiceRefusal } from './service-refusal.ts'

interface GraphAnswer<Data> {
  data: Data
  errors?: readonly { message: string; extensions: { status: number; retryAfter?: number } }[]
}

/**
 * Runs a GraphQL document and answers its data. The errors that a mutation lists are a part of the data, `errors` of its
 * payload.
 * @throws ServiceRefusal by the first error of the answer, also where other fields were answered.
 */
export async function askGraph<Data>(
  url: string,
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
  connection: Connection = {},
): Promise<Data> {
  const body = { query: document, variables }
  const { data, errors } = await askService<GraphAnswer<Data>>(url, 'POST', '/graphql', body, connection)
  const [error] = errors ?? []
  if (!error) return data
  const { message, extensions } = error
  throw new ServiceRefusal({
    request: 'POST /graphql',
    status: extensions.status,
    text: JSON.stringify({ message, ...extensions }),
    retryAfterSeconds: extensions.retryAfter ?? null,
  })
}
