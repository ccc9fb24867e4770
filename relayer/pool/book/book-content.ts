import { z } from 'zod'

/** A book grows in steps of this many bytes, so that its size reveals little. */
const STEP_BYTES = 4_096

const number = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const index = z.int().nonnegative()

const toldPart = z.object({
  /** Label of the deposit that the note derives from. */
  label: number,
  /** Number of earlier spends from the deposit. */
  withdrawalIndex: index,
  /** The note's value, and the amount that leaves it, in the smallest unit. */
  value: number,
  withdraws: number,
  /** The hashes of the spend; null until the spend is submitted. */
  spentBy: z.object({ nullifierHash: number, newCommitment: number }).nullable(),
})
/** A note that an account reported as being spent. */
export type ToldPart = z.output<typeof toldPart>

/**
 * `incognito_send` pays another party; `incognito_self_send` pays fresh addresses of the account, one for each
 * withdrawal.
 */
export const SPEND_KINDS = ['incognito_send', 'incognito_self_send'] as const
/** Name of a kind of reported spend. */
export type SpendKind = (typeof SPEND_KINDS)[number]

const toldSpend = z.object({
  id: z.uuid(),
  kind: z.enum(SPEND_KINDS),
  /** The arriving amount, and the relays' fee, in the smallest unit. */
  receives: number,
  fee: number,
  /** Milliseconds since 1970 until which the notes are locked. */
  until: z.int(),
  /** True if cancelled before it was submitted. */
  isUnlocked: z.boolean(),
  parts: z.array(toldPart).min(1),
})
/** A reported spend with all its notes. */
export type ToldSpend = z.output<typeof toldSpend>

const settledNote = z.object({ label: number, withdrawalIndex: index, value: number })
/** A reported remainder of a deposit, without the spends that led to it. */
export type SettledNote = z.output<typeof settledNote>

const bookContent = z.object({ spends: z.array(toldSpend), settled: z.array(settledNote) })
/** An account's reports about its notes in one pool. */
export type BookContent = z.output<typeof bookContent>

/** A book without entries. */
export const EMPTY_BOOK: BookContent = { spends: [], settled: [] }

/** Encodes a book as bytes, padded to a step of the size. */
export const encodeBook = (content: BookContent): Uint8Array =>
  padText(
    JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    STEP_BYTES,
  )

/**
 * Decodes a book from {@link encodeBook}.
 * @throws Error for anything else.
 */
export const decodeBook = (bytes: Uint8Array): BookContent => bookContent.parse(JSON.parse(unpadText(bytes)))

/** Encodes text as UTF-8, padded with spaces to a multiple of `stepBytes`. */
export function padText(text: string, stepBytes: number): Uint8Array {
  const bytes = Buffer.from(text, 'utf8')
  const padded = Buffer.alloc(Math.ceil(bytes.length / stepBytes) * stepBytes, ' ')
  bytes.copy(padded)
  return padded
}

/** Returns the text of {@link padText} without the padding. */
export const unpadText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8').trimEnd()
