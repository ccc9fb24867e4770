import type { SpentNote } from '../../../db/pool/book/note-progress.ts'
import type { BookContent, SettledNote, ToldPart, ToldSpend } from './book-content.ts'

/**
 * The present note of a deposit after reported or settled spends, smallest unit; deposits without any spend have no
 * entry.
 */
export interface BookNote {
  label: bigint
  /** Number of spends from the deposit. */
  withdrawalIndex: number
  value: bigint
  /** Null if the account settled without naming it. */
  commitment: bigint | null
  known: 'told' | 'settled'
}

/** The part of a reported spend that locks its note. */
export interface LockedPart {
  spendId: string
  part: ToldPart
}

/** A book, settled against the chain. */
export interface Book {
  content: BookContent
  /** By label. */
  notes: ReadonlyMap<bigint, BookNote>
  /** By label: the deposit's present note is locked by a pending reported spend. */
  locked: ReadonlyMap<bigint, LockedPart>
}

/** The chain's facts about the notes in a book. */
export interface BookFacts {
  /** Values of the account's deposits, by label. */
  deposits: ReadonlyMap<bigint, bigint>
  /** By nullifier hash. */
  spent: ReadonlyMap<bigint, SpentNote>
  /** Milliseconds since 1970. */
  now: number
}

/** Returns the nullifier hashes in a book. */
export const nullifierHashesOf = ({ spends }: BookContent): bigint[] =>
  spends.flatMap(({ parts }) => parts.flatMap(({ spentBy }) => spentBy?.nullifierHash ?? []))

/**
 * Follows each deposit through the reported spends and the chain. A reported note counts as spent if its nullifier
 * hash is on chain, so that a reorg undoes it. A settled note is trusted, and only ever reduces the value.
 */
export function settleBook(content: BookContent, facts: BookFacts): Book {
  const toldOf = Map.groupBy(partsOf(content), ({ part }) => part.label)
  const settledOf = Map.groupBy(content.settled, ({ label }) => label)
  const notes = new Map<bigint, BookNote>()
  const locked = new Map<bigint, LockedPart>()
  for (const [label, deposited] of facts.deposits) {
    const told = toldOf.get(label) ?? []
    const settled = (settledOf.get(label) ?? []).toSorted((a, b) => a.withdrawalIndex - b.withdrawalIndex)
    const note = followNote({ label, withdrawalIndex: 0, value: deposited }, told, { settled, facts })
    if (note) notes.set(label, note)
    const present = note?.withdrawalIndex ?? 0
    const holder = told.find(
      ({ spend, part }) => part.withdrawalIndex === present && spend.until > facts.now && !spend.isUnlocked,
    )
    if (holder) locked.set(label, { spendId: holder.spend.id, part: holder.part })
  }
  return { content, notes, locked }
}

/** Returns the last known note of a deposit; null if that is the deposit itself. */
function followNote(deposit: PresentNote, told: readonly Told[], known: Known): BookNote | null {
  let last: BookNote | null = null
  for (let next = nextNote(deposit, told, known); next; next = nextNote(next, told, known)) last = next
  return last
}

type PresentNote = Pick<BookNote, 'label' | 'withdrawalIndex' | 'value'>
interface Told {
  spend: ToldSpend
  part: ToldPart
}
interface Known {
  settled: readonly SettledNote[]
  facts: BookFacts
}

function nextNote(
  { label, withdrawalIndex, value }: PresentNote,
  told: readonly Told[],
  { settled, facts }: Known,
): BookNote | null {
  const [spent] = told.flatMap(({ part }) => spendOf(part, withdrawalIndex, facts) ?? [])
  if (spent)
    return {
      label,
      withdrawalIndex: withdrawalIndex + 1,
      value: spent.withdrawn > value ? 0n : value - spent.withdrawn,
      commitment: spent.newCommitment,
      known: 'told',
    }
  const jump = settled.find((one) => one.withdrawalIndex > withdrawalIndex && one.value <= value)
  return jump ? { ...jump, commitment: null, known: 'settled' } : null
}

const partsOf = ({ spends }: BookContent): Told[] =>
  spends.flatMap((spend) => spend.parts.map((part) => ({ spend, part })))

function spendOf(
  { withdrawalIndex, spentBy }: ToldPart,
  present: number,
  { spent }: BookFacts,
): SpentNote | null {
  if (withdrawalIndex !== present || !spentBy) return null
  return spent.get(spentBy.nullifierHash) ?? null
}
