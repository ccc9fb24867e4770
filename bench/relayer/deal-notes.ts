import type { Mode } from '../settings.ts'

/** The uses of the notes of a round. */
export interface DealtNotes<Note> {
  /** Relayed before the clock starts. */
  warmUp: Note[]
  /** Relayed by the plain baselines. */
  plain: Note[]
  request: Note[]
  full: Note[]
  /** Relayed one after another, in peace and during a flood. */
  calm: Note[]
  flooded: Note[]
  /** Never relayed: bad proofs are made from them, since a spent note is refused before its proof is verified. */
  spare: Note[]
}

/** Splits a round's notes among the modes that spend some; duplicates spend none. */
export function dealNotes<Note>(notes: readonly Note[], modes: readonly Mode[]): DealtNotes<Note> {
  const left = [...notes]
  const take = (count: number) => left.splice(0, Math.max(0, count))
  const hasFull = modes.includes('full')
  const hasRequest = modes.includes('request') || modes.includes('duplicate')
  const spare = take(modes.includes('badproof') || modes.includes('flood') ? 1 : 0)
  const warmUp = take(Math.min(12, Math.floor(notes.length / 5)))
  const plain = take(hasFull || modes.includes('request') ? Math.min(4, Math.floor(notes.length / 4)) : 0)
  const few = modes.includes('flood') ? Math.min(5, Math.floor(notes.length / 8)) : 0
  const [calm, flooded] = [take(few), take(few)]
  const request = take(hasRequest ? (hasFull ? Math.min(12, Math.floor(left.length / 2)) : left.length) : 0)
  return { warmUp, plain, request, calm, flooded, full: hasFull ? left : [], spare }
}
