// SPDX-License-Identifier: MIT
/**
 * How a client spends from a pool without revealing to the service which note it spends, or that the account spends at
 * all. It reads the whole pool, finds and proves by itself, and asks the relayer without a token.
 */
import type { Address, Hex } from 'viem'
import type { Prover } from './prover.ts'
import type { Client } from '../account/open-client.ts'
import { chooseNote, findNotes, type FoundNote } from './find-notes.ts'
import { noteMasterOf, changeSecrets } from './note-secrets.ts'
import type { PoolView } from './pool-state.ts'
import { silently, type Step } from '../requests/step.ts'
import { withdraw, type Withdrawn } from './withdraw.ts'

export interface BlindSpend {
  view: PoolView
  /** The amount that leaves the note; the recipient gets it less the relay fee. */
  amount: bigint
  recipient: Address
  /** The highest relay fee, in the smallest unit of the token. */
  maxFee: bigint
  prover: Prover
  /** The relayer's URL: over another connection than the account's, best by another network. */
  relayerUrl?: string
  step?: Step
}

/** @throws Error where no approved note suffices, or in the relayer's words. */
export async function spendBlindly(
  client: Client,
  { view, amount, recipient, maxFee, prover, relayerUrl = client.url, step = silently }: BlindSpend,
): Promise<{ txHash: Hex; spent: FoundNote; withdrawn: Withdrawn }> {
  const master = noteMasterOf(client)
  const { state, note } = await step('find a note in what the pool shows to everybody', async () => {
    const state = await view.readForProof()
    const { notes } = findNotes(master, BigInt(view.pool.scope), state)
    return { state, note: chooseNote(notes, amount) }
  })
  const withdrawn = await withdraw({
    ...view.pool,
    url: relayerUrl,
    note,
    amount,
    recipient,
    maxFee,
    change: changeSecrets(master, note.label, BigInt(note.withdrawalIndex + 1)),
    leaves: { stateTreeLeaves: state.leaves, aspLeaves: state.aspLeaves },
    prover,
    step,
  })
  return { txHash: withdrawn.txHash, spent: note, withdrawn }
}
