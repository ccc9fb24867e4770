// SPDX-License-Identifier: MIT
import { sleep } from '../requests/sleep.ts'
import type { Client } from '../account/open-client.ts'
import { noteMasterOf } from './note-secrets.ts'
import { findNotes, type FoundNote } from './find-notes.ts'
import type { PoolView } from './pool-state.ts'

/** The service allows 60 readings a minute. */
const POLL_MS = 1_100

/**
 * Reads the pool until the notes of the wallet are as wanted: deposits take a while to be reviewed.
 * @throws Error when patience ends first.
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
    if (performance.now() > end) throw new Error('the notes of the wallet are not what they should be')
    await sleep(POLL_MS)
  }
}
