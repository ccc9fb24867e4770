// SPDX-License-Identifier: MIT
import { useQuery } from '@tanstack/react-query'
import type { AccountInput } from '../account/open-client.ts'
import { findNotes } from '../pool/find-notes.ts'
import { noteMasterOf } from '../pool/note-secrets.ts'
import type { PoolView } from '../pool/pool-state.ts'
import type { OperationName } from '../requests/call-operation.ts'
import { keyOf, useWallet } from './wallet-provider.ts'

/** The client repeats lost requests by itself, and what is refused stays refused. */
const ONCE = { retry: false } as const

/** The answer of a reading operation, in wire form, read again when an event outdates it: `useAnswer('accountBalance', {})`. */
export function useAnswer<Name extends OperationName>(name: Name, input: AccountInput<Name>) {
  const client = useWallet()
  return useQuery({ queryKey: keyOf(client, name, input), queryFn: () => client.call(name, input), ...ONCE })
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
