import { z } from 'zod'
import { padText, unpadText } from './pad-text.ts'

/** A book grows in steps of so many bytes, so that its size tells little. */
const STEP_BYTES = 4_096

const number = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const index = z.int().nonnegative()

const toldPart = z.object({
  /** Of the deposit that the note goes back to. */
  label: number,
  /** How often was spent from the deposit before. */
  withdrawalIndex: index,
  /** What the note is worth, and what leaves it, in the smallest unit. */
  value: number,
  withdraws: number,
  /** What spends it; null until the spend is submitted. */
  spentBy: z.object({ nullifierHash: number, newCommitment: number }).nullable(),
})
/** A note that an account told it spends. */
export type ToldPart = z.output<typeof toldPart>

/** incognito_send pays somebody; incognito_self_send pays fresh addresses of the account, one for each withdrawal. */
export const SPEND_KINDS = ['incognito_send', 'incognito_self_send'] as const
/** Name of a kind of told spending. */
export type SpendKind = (typeof SPEND_KINDS)[number]

const toldSpend = z.object({
  id: z.uuid(),
  kind: z.enum(SPEND_KINDS),
  /** What arrives, and what the relays take of it, in the smallest unit. */
  receives: number,
  fee: number,
  /** Milliseconds since 1970: the notes are locked until then. */
  until: z.int(),
  /** Given up before it was submitted. */
  isUnlocked: z.boolean(),
  parts: z.array(toldPart).min(1),
})
/** A spend that an account told, with all notes of it. */
export type ToldSpend = z.output<typeof toldSpend>

const settledNote = z.object({ label: number, withdrawalIndex: index, value: number })
/** What an account says is left of a deposit, without saying how it was spent. */
export type SettledNote = z.output<typeof settledNote>

const bookContent = z.object({ spends: z.array(toldSpend), settled: z.array(settledNote) })
/** What an account told of its notes in one pool. */
export type BookContent = z.output<typeof bookContent>

/** A book in which nothing was written. */
export const EMPTY_BOOK: BookContent = { spends: [], settled: [] }

/** A book as bytes of an even size. */
export const encodeBook = (content: BookContent): Uint8Array =>
  padText(
    JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    STEP_BYTES,
  )

/**
 * Reads what {@link encodeBook} wrote.
 * @throws Error for anything else.
 */
export const decodeBook = (bytes: Uint8Array): BookContent => bookContent.parse(JSON.parse(unpadText(bytes)))
