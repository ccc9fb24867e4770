import { normalizeEnsName } from '../../chain/ens-text.ts'

const MAX_NAME = 255
const MAX_LABELS = 12

/**
 * A name in the one form in which it is looked up and shown (ENSIP-15), or null when the text is no name of at least two
 * labels: so that no two names look alike and differ.
 */
export function normalizeName(text: string): string | null {
  if (text.length > MAX_NAME || !text.includes('.')) return null
  try {
    const name = normalizeEnsName(text)
    const labels = name.split('.')
    const fits = name.length <= MAX_NAME && labels.length <= MAX_LABELS && !labels.includes('')
    return fits ? name : null
  } catch {
    return null
  }
}
