// SPDX-License-Identifier: MIT
import { bytesToBigInt } from 'viem'
import { FIELD_ORDER, hashCommitment, hashPrecommitment } from './note-hashes.ts'

/** The secrets of a note, known only to its owner. */
export interface NoteSecrets {
  nullifier: bigint
  secret: bigint
}

/** A spendable part of a deposit; `value` in the asset's smallest unit. */
export interface Note extends NoteSecrets {
  value: bigint
  label: bigint
}

/** Fresh secrets. A wallet that wants to recover its notes derives them from a seed instead. */
export function makeSecrets(): NoteSecrets {
  return { nullifier: randomFieldElement(), secret: randomFieldElement() }
}

/** The precommitment of a deposit: the note's only trace on chain until it is spent. */
export function precommitmentOf({ nullifier, secret }: NoteSecrets): bigint {
  return hashPrecommitment(nullifier, secret)
}

/** The note's leaf in the state tree. */
export function commitmentOf(note: Note): bigint {
  return hashCommitment(note.value, note.label, precommitmentOf(note))
}

/** 64 bytes taken modulo the field: the bias is beyond measure. */
function randomFieldElement(): bigint {
  return bytesToBigInt(crypto.getRandomValues(new Uint8Array(64))) % FIELD_ORDER
}
