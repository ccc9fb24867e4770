import { createHash } from 'node:crypto'
import { createContextCache } from '@pothos/core'
import { badRequest, unauthorized } from '../../relayer/errors.ts'
import type { OperationContext } from '../define/context.ts'

/** Characters of the tag that binds an id to its account: 96 bits. */
const TAG_LENGTH = 16

/** The id of a node. Clients return it unchanged; its content may change between versions. */
export const encodeGlobalId = (typename: string, key: string | number | bigint): string =>
  Buffer.from(`${typename}:${key}`).toString('base64url')

/** @throws ServiceError `bad-request` BAD_REQUEST for text that no answer contained. */
export function decodeGlobalId(id: string): { typename: string; id: string } {
  const text = Buffer.from(id, 'base64url').toString()
  const end = text.indexOf(':')
  const typename = text.slice(0, end)
  if (end < 1 || encodeGlobalId(typename, text.slice(end + 1)) !== id || !/^[A-Za-z]+$/.test(typename))
    throw badRequest('id: expected an opaque `id` of an earlier answer')
  return { typename, id: text.slice(end + 1) }
}

const readAccount = createContextCache(async (context: OperationContext) => {
  const principal = await context.authenticate()
  return principal?.accountId ?? null
})

/** The account of the request's token; null without one. Looked up once per request. */
export const accountOf = (context: OperationContext): Promise<string | null> => readAccount(context)

/** Differs by account and key, so that no two ids show that they belong to one account. */
const tagOf = (accountId: string, typename: string, key: string) =>
  createHash('sha256').update([accountId, typename, key].join('\n')).digest('base64url').slice(0, TAG_LENGTH)

/** A key with the tag of the request's account: another account has another id for the same key. */
export async function bindKey(context: OperationContext, typename: string, key: string): Promise<string> {
  const accountId = await accountOf(context)
  return `${key}.${tagOf(accountId ?? '', typename, key)}`
}

/** The keys of ids that belong to the request's account; null for each other, as for a thing that does not exist. */
export async function openKeys(
  context: OperationContext,
  typename: string,
  bound: readonly string[],
): Promise<{ accountId: string; keys: readonly (string | null)[] }> {
  if (!(await context.authenticate())) throw unauthorized()
  const accountId = await accountOf(context)
  const keys = bound.map((id) => {
    const key = id.slice(0, -(TAG_LENGTH + 1))
    return accountId !== null && id === `${key}.${tagOf(accountId, typename, key)}` ? key : null
  })
  return { accountId: accountId ?? '', keys }
}
