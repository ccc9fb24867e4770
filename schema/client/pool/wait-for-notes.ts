// SPDX-License-Identifier: MIT
import { sleep } from '../requests/sleep.ts'
import type { Client } from '../account/open-client.ts'
import { noteMasterOf } from './note-secrets.ts'
import { findNotes, type FoundNote } from './find-notes.ts'
import type { PoolView } from './pool-state.ts'

/** The service allows 60 readings a minute. */
const POLL_MS = 1_100

/**
 * Reads the pool until the wallet's notes are as wanted: reviews of deposits take a while.
 * @throws Error after `patienceMs`.
 */
export async function waitForNotes(
  client: Client,
  view: PoolView,
  isWanted: (notes: readonly FoundNote[]) => boolean,
  patienceMs = 60_000,
): Promise<FoundNote[]> {
  const end = performance.now() + patienceMs
  for (;;) {
    const state = await view.read()
    const { notes } = findNotes(noteMasterOf(client), BigInt(view.pool.scope), state)
    if (isWanted(notes)) return notes
    if (performance.now() > end) throw new Error('the pool did not show the wanted notes in time')
    await sleep(POLL_MS)
  }
}
