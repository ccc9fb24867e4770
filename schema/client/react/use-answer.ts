// SPDX-License-Identifier: MIT
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { AccountInput } from '../account/open-client.ts'
import { findNotes } from '../pool/find-notes.ts'
import { noteMasterOf } from '../pool/note-secrets.ts'
import type { PoolView } from '../pool/pool-state.ts'
import type { AnswerOf, OperationName } from '../requests/call-operation.ts'
import type { OPERATIONS } from '../requests/operations.ts'
import { keyOf, useWallet } from './wallet-provider.ts'

/** The client repeats lost requests by itself, and what is refused stays refused. */
const ONCE = { retry: false } as const

/** An operation that only reads. */
export type ReadName = {
  [Name in OperationName]: (typeof OPERATIONS)[Name][0] extends 'GET' ? Name : never
}[OperationName]

/**
 * The answer of a reading operation, in wire form, read again when an event outdates it: `useAnswer('accountBalance', {})`.
 * `options` are those of `useQuery`, such as `enabled` and `select`.
 */
export function useAnswer<Name extends ReadName, Shown = AnswerOf<Name>>(
  name: Name,
  input: AccountInput<Name>,
  options: Omit<UseQueryOptions<AnswerOf<Name>, Error, Shown>, 'queryKey' | 'queryFn'> = {},
) {
  const client = useWallet()
  const queryFn = () => client.call(name, input)
  return useQuery({ ...ONCE, ...options, queryKey: keyOf(client, name, input), queryFn })
}

/** The wallet's notes in a pool, by its keys: also those whose spending the service was not told. Null waits for the view. */
export function useNotes(view: PoolView | null) {
  const client = useWallet()
  return useQuery({
    queryKey: [...keyOf(client, 'poolState'), view?.pool.pool],
    enabled: view !== null,
    queryFn: async () => {
      if (!view) throw new Error('no pool')
      return findNotes(noteMasterOf(client), BigInt(view.pool.scope), await view.read()).notes
    },
    ...ONCE,
  })
}
