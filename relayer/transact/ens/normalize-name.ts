import { normalize } from 'viem/ens'

const MAX_NAME = 255
const MAX_LABELS = 12

/**
 * Returns the one form in which a name is looked up and shown (ENSIP-15). Null unless the text is a name of
 * at least two labels. One form ensures that no two different names look alike.
 */
export function normalizeName(text: string): string | null {
  if (text.length > MAX_NAME || !text.includes('.')) return null
  try {
    const name = normalize(text)
    const labels = name.split('.')
    const fits = name.length <= MAX_NAME && labels.length <= MAX_LABELS && !labels.includes('')
    return fits ? name : null
  } catch {
    return null
  }
}
