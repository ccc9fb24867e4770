/** Characters that nobody sees, or that change the order of others; a line break is none of them. */
const INVISIBLE = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu

/** The text with such characters written out, as `\u{202e}`. */
export const showInvisible = (text: string): string =>
  text.replaceAll(INVISIBLE, (one) => String.raw`\u{${one.codePointAt(0)?.toString(16) ?? ''}}`)

/** A text that somebody else wrote. It keeps its line breaks, and cannot pose as words of the wallet. */
export function ForeignText({ children }: { children: string }) {
  return (
    <bdi className="foreign" translate="no">
      {showInvisible(children)}
    </bdi>
  )
}
