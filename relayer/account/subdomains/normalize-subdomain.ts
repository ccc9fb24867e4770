import { normalize } from 'viem/ens'

/** Maximum length of a name before it is normalised. */
const MAX_NAME_INPUT = 255

/**
 * Converts a name into its canonical form. ENSIP-15 normalization rejects mixed scripts, look-alikes and joiners, and
 * drops invisible characters. The result has 3 to 32 of a–z, 0–9 and inner hyphens. Hyphens at both the third and
 * fourth place are rejected, because punycode hides there.
 *
 * @returns The name, or null for text that is no name.
 */
export function normalizeSubdomain(text: string): string | null {
  if (text.length > MAX_NAME_INPUT) return null
  let name: string
  try {
    name = normalize(text)
  } catch {
    return null
  }
  const isAllowed = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/.test(name) && name.slice(2, 4) !== '--'
  return isAllowed ? name : null
}
