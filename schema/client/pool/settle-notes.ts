// SPDX-License-Identifier: MIT
/**
 * How a client that spends blindly lets its account show the remainder. It does so later, and at once for all spends
 * since the last time. The difference says how much was withdrawn, so right after a spend it would say which withdrawal
 * it was.
 */
import type { Client } from '../account/open-client.ts'
import { noteMasterOf } from './note-secrets.ts'
import { findNotes } from './find-notes.ts'
import type { PoolView } from './pool-state.ts'

/** @returns How many deposits were settled: those of which the service knew an older note. */
export async function settleNotes(client: Client, view: PoolView): Promise<number> {
  const state = await view.read()
  const { notes, emptied } = findNotes(noteMasterOf(client), BigInt(view.pool.scope), state)
  const knownOf = new Map(state.notes.map(({ id, withdrawalIndex }) => [id, withdrawalIndex]))
  const settled = [...notes, ...emptied]
    .filter(({ depositId, withdrawalIndex }) => withdrawalIndex > (knownOf.get(depositId) ?? 0))
    .map(({ depositId, withdrawalIndex, value }) => ({
      commitmentId: depositId,
      withdrawalIndex,
      value: String(value),
    }))
  if (settled.length === 0) return 0
  const { chainId, token } = view.pool
  await client.ask('PUT', `/v1/accounts/${client.accountId}/pool/commitments`, {
    chainId,
    token,
    notes: settled,
  })
  return settled.length
}
