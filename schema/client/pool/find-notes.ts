// SPDX-License-Identifier: MIT
/**
 * How a client finds the notes that it can spend, from the answer of `pool/state` and its own keys alone. The service's
 * data of a note are a hint. The client recomputes the note's leaf, and follows later spends by itself.
 */
import { commitmentOf, type Note } from './note.ts'
import { hashNullifier } from './note-hashes.ts'
import { changeSecrets, DEPOSITS, depositSecrets, type MasterSecrets } from './note-secrets.ts'
import type { PoolState, ToldNote } from './pool-state.ts'

/** This many unused indices in a row end the search for a deposit. */
const MOST_MISSES = 10

/** A note that the keys of the wallet open, neither spent nor taken back. */
export interface FoundNote extends Note {
  /** Of the deposit: as `pool/commitments` names it. */
  depositId: string
  /** Null where the note was found by a change, which needs no depositIndex. */
  depositIndex: number | null
  /** How often was spent from the deposit. */
  withdrawalIndex: number
  aspStatus: ToldNote['aspStatus']
  /** The association set has its label: it can be spent in private. */
  isApproved: boolean
}

/**
 * @returns The notes, those of which nothing is left, and the ids of notes that the service lists for the account
 * but the keys do not open.
 */
export function findNotes(
  master: MasterSecrets,
  scope: bigint,
  state: FoundState,
): { notes: FoundNote[]; emptied: FoundNote[]; unopened: string[] } {
  const leaves = new Set(state.leaves)
  const approved = new Set(state.aspLeaves)
  const told = state.notes.filter((note): note is LabelledNote => note.label !== null)
  const opened = told.map((note) => openNote(master, scope, note, searchEnd(state)))
  const notes = opened.flatMap((note, place) => {
    const hint = told[place]
    // The leaf counts: a false value or label has none.
    if (!note || !hint || !leaves.has(commitmentOf(note)) || state.recovered.has(note.label)) return []
    const last = followChanges(master, state, note)
    return last ? [{ ...last, aspStatus: hint.aspStatus, isApproved: approved.has(note.label) }] : []
  })
  const unopened = told.filter((_, place) => !opened[place]).map(({ id }) => id)
  return {
    notes: notes.filter(({ value }) => value > 0n),
    emptied: notes.filter(({ value }) => value === 0n),
    unopened,
  }
}

/** The part of a pool's state from which notes are found. */
type FoundState = Omit<PoolState, 'crowd'>
type LabelledNote = ToldNote & { label: bigint }
type OpenedNote = Omit<FoundNote, 'aspStatus' | 'isApproved'>

const searchEnd = ({ nextDepositIndex }: FoundState) => Math.min(nextDepositIndex, DEPOSITS) + MOST_MISSES

/** Null where no secrets of the wallet give the commitment. */
function openNote(
  master: MasterSecrets,
  scope: bigint,
  { id, label, value, commitment, depositIndex, withdrawalIndex }: LabelledNote,
  end: number,
): OpenedNote | null {
  const opened = { depositId: id, label, value, withdrawalIndex, depositIndex }
  if (withdrawalIndex > 0) return { ...opened, ...changeSecrets(master, label, BigInt(withdrawalIndex)) }
  const indices = depositIndex === null ? Array.from({ length: end }, (_, index) => index) : [depositIndex]
  for (const index of indices) {
    const secrets = depositSecrets(master, scope, BigInt(index))
    if (commitmentOf({ ...secrets, label, value }) === commitment)
      return { ...opened, ...secrets, depositIndex: index }
  }
  return null
}

/** The newest note of a deposit; null where a change belongs to other keys. */
function followChanges(
  master: MasterSecrets,
  state: FoundState,
  { value, ...note }: OpenedNote,
): OpenedNote | null {
  const spend = state.spent.get(hashNullifier(note.nullifier))
  if (!spend) return { ...note, value }
  const withdrawalIndex = note.withdrawalIndex + 1
  const secrets = changeSecrets(master, note.label, BigInt(withdrawalIndex))
  const change = { ...note, ...secrets, value: value - spend.withdrawnValue, withdrawalIndex }
  return commitmentOf(change) === spend.newCommitment ? followChanges(master, state, change) : null
}

/** The smallest approved note that is worth enough. @throws Error where there is none. */
export function chooseNote(notes: readonly FoundNote[], amount: bigint): FoundNote {
  const [note] = notes
    .filter(({ isApproved, value }) => isApproved && value >= amount)
    .toSorted((one, other) => (one.value < other.value ? -1 : 1))
  if (!note) throw new Error(`no approved note is worth ${amount}`)
  return note
}
