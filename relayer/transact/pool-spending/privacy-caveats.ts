import type { DepositAge } from '../../../db/pool/book/crowd.ts'
import type { SpendNote } from './plan-notes.ts'
import type { SpendPart } from './plan-spend.ts'

/** Facts that help observers to link a withdrawal to its depositor. */
export const PRIVACY_CAVEATS = [
  'equal_amount',
  'soon',
  'small_crowd',
  'strands_change',
  'several_notes',
  'deep_chain',
] as const
/** Name of a caveat. */
export type PrivacyCaveat = (typeof PRIVACY_CAVEATS)[number]

/** A public linker joins equal values between a minute and two hours apart. */
const SOON_MS = 2 * 3_600_000
const FEW_LATER = 10
const SMALL_CROWD = 20
/** One published scan follows at most this many changes of a deposit. */
const DEEP = 10

/** Public facts of a spend. */
export interface ShownSpend {
  parts: readonly SpendPart<SpendNote>[]
  /** Ages of the notes' original deposits. */
  ages: readonly DepositAge[]
  /** Approved deposits by accounts of the service that are worth at least the largest part, and the notes' own. */
  crowd: number
  /** Least withdrawal of one relay, smallest unit. */
  least: bigint
  /** Milliseconds since 1970. */
  now: number
}

/** Lists the caveats of a spend, in a fixed order. */
export function listPrivacyCaveats({ parts, ages, crowd, least, now }: ShownSpend): PrivacyCaveat[] {
  const changes = parts.map(({ note, withdraws }) => note.value - withdraws)
  const applies: Record<PrivacyCaveat, boolean> = {
    equal_amount: parts.some(({ withdraws, note }) =>
      ages.some(({ label, value }) => label === note.label && value === withdraws),
    ),
    soon: ages.some(({ depositedAt, later }) => now - depositedAt.getTime() < SOON_MS || later < FEW_LATER),
    small_crowd: crowd < SMALL_CROWD,
    strands_change: changes.some((change) => change > 0n && change < least),
    several_notes: parts.length > 1,
    deep_chain: parts.some(({ note }, place) => changes[place]! > 0n && note.withdrawalIndex + 1 >= DEEP),
  }
  return PRIVACY_CAVEATS.filter((caveat) => applies[caveat])
}
