import { normalizeEnsName } from '../../chain/ens-text.ts'

/** A name may be this long before it is normalised: nothing longer is looked at. */
const MAX_NAME_INPUT = 255

/**
 * Brings a name into the one form in which it is stored and compared: normalized by ENSIP-15, which refuses mixed
 * scripts, look-alikes and joiners and drops invisible characters; then 3 to 32 of a–z, 0–9 and inner hyphens, but
 * not hyphens at the third and fourth place, where punycode hides.
 *
 * @returns The name, or null for text that is no name.
 */
export function normalizeSubdomain(text: string): string | null {
  if (text.length > MAX_NAME_INPUT) return null
  let name: string
  try {
    name = normalizeEnsName(text)
  } catch {
    return null
  }
  const isAllowed = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/.test(name) && name.slice(2, 4) !== '--'
  return isAllowed ? name : null
}
