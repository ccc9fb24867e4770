/** The joiner combines pictures to one; each picture may be followed by a skin colour or a variation. */
const EMOJI_JOINER =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu

/**
 * Whether text has no control, format or unassigned characters (except the joiner within emoji), no line breaks, and
 * no blanks at its ends.
 */
export const isPlainLine = (text: string): boolean =>
  !/[\p{C}\p{Zl}\p{Zp}]/u.test(text.replaceAll(EMOJI_JOINER, '')) && text.trim() === text
