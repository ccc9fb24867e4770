import type { Mode } from '../settings.ts'

/** What the notes of a round are for. */
export interface DealtNotes<Note> {
  /** Relayed before the clock starts. */
  warmUp: Note[]
  /** Relayed by the plain baseline. */
  plain: Note[]
  request: Note[]
  full: Note[]
}

/** Splits a round's notes among the modes that spend some; bad proofs and duplicates spend none. */
export function dealNotes<Note>(notes: readonly Note[], modes: readonly Mode[]): DealtNotes<Note> {
  const left = [...notes]
  const take = (count: number) => left.splice(0, Math.max(0, count))
  const hasFull = modes.includes('full')
  const hasRequest = modes.includes('request') || modes.includes('duplicate')
  const warmUp = take(Math.min(3, Math.floor(notes.length / 6)))
  const plain = take(hasFull || modes.includes('request') ? Math.min(2, Math.floor(notes.length / 4)) : 0)
  const request = take(hasRequest ? (hasFull ? Math.min(16, Math.floor(left.length / 2)) : left.length) : 0)
  return { warmUp, plain, request, full: hasFull ? left : [] }
}
