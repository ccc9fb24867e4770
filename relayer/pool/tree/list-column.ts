import { packText, unpackText, type AnswerPart, type PackedText } from '../../packed-text.ts'

/** Consecutive items of a long list. */
export interface ListPiece {
  count: number
  /** The items as JSON with commas between them. */
  packed: PackedText
  /** The uncompressed items; kept only for the newest piece, from which most tails are cut. */
  text: string | null
}

/** Makes a piece of items that were written as JSON. @param keepText True if tails will be cut from it. */
export async function createPiece(
  { count, text }: { count: number; text: string },
  keepText: boolean,
): Promise<ListPiece> {
  return { count, packed: await packText(text), text: keepText ? text : null }
}

/** Counts the items of all pieces. */
export const countItems = (pieces: readonly ListPiece[]): number =>
  pieces.reduce((total, { count }) => total + count, 0)

/**
 * Returns the items from an index on, as JSON without the brackets. Whole pieces stay compressed.
 *
 * @param from At most the number of items.
 */
export async function partsFrom(pieces: readonly ListPiece[], from: number): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = []
  let before = 0
  for (const piece of pieces) {
    const skipped = Math.max(0, from - before)
    before += piece.count
    if (skipped >= piece.count) continue
    if (parts.length > 0) parts.push(',')
    parts.push(skipped === 0 ? piece.packed : await cut(piece, skipped))
  }
  return parts
}

async function cut(piece: ListPiece, skipped: number): Promise<string> {
  const text = piece.text ?? (await unpackText(piece.packed)).toString('latin1')
  // Items are strings or flat objects, so one text separates all items of a list.
  const border = text.startsWith('{') ? '},{' : '","'
  let at = 0
  for (let passed = 0; passed < skipped; passed += 1) at = text.indexOf(border, at) + border.length - 1
  return text.slice(at)
}
