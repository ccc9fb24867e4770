// SPDX-License-Identifier: MIT
import type { LeanIMT } from '@zk-kit/lean-imt'
import { commitmentOf, type Note, type NoteSecrets } from './note.ts'
import { proveMembership } from './merkle-proof.ts'

/** Input signals of a circuit by name. */
export type CircuitInput = Record<string, bigint | bigint[]>

/** A withdrawal to be proven. `amount` is in the asset's smallest unit. */
export interface WithdrawRequest {
  note: Note
  /** The amount that leaves the note; the rest becomes a change note with `change` as its secrets. */
  amount: bigint
  change: NoteSecrets
  /** Leaves of the pool's state tree, and the labels that the ASP approved. */
  stateTree: LeanIMT
  aspTree: LeanIMT
  /** From the withdrawal's data and the pool's scope. */
  context: bigint
}

/** Clients send the largest depth for every tree, so that the proof does not reveal its age. */
const TREE_DEPTH = 32n

/**
 * Builds the input of the `withdraw` circuit.
 * @throws Error where the note is in neither tree: not deposited, or not approved yet.
 */
export function withdrawInput(request: WithdrawRequest): CircuitInput {
  const { note, amount, change, stateTree, aspTree, context } = request
  if (change.nullifier === note.nullifier) throw new Error('the change note needs a nullifier of its own')
  const state = proveMembership(stateTree, commitmentOf(note))
  const asp = proveMembership(aspTree, note.label)
  return {
    withdrawnValue: amount,
    stateRoot: state.root,
    stateTreeDepth: TREE_DEPTH,
    ASPRoot: asp.root,
    ASPTreeDepth: TREE_DEPTH,
    context,
    label: note.label,
    existingValue: note.value,
    existingNullifier: note.nullifier,
    existingSecret: note.secret,
    newNullifier: change.nullifier,
    newSecret: change.secret,
    stateSiblings: state.siblings,
    stateIndex: state.index,
    ASPSiblings: asp.siblings,
    ASPIndex: asp.index,
  }
}

/** Builds the input of the `commitment` circuit, which proves in the open that a note is one's own. */
export function commitmentInput({ value, label, nullifier, secret }: Note): CircuitInput {
  return { value, label, nullifier, secret }
}
