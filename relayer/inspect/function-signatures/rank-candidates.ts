import { SIGNATURE_SOURCES, type SignatureCandidate, type SignatureSource } from './function-signatures.ts'

const MOST = 10

/** Patterns of names from a search for a colliding selector: counters and random tails. */
const MADE_UP = [/[0-9]{5,}/, /[_$]{4,}/, /_(?=[a-z]*[0-9])[a-z0-9]{5,}\(/]
/** Types that the ABI allows and hardly any contract uses; a search for a collision tries them all. */
const UNUSUAL =
  /[(,](?:uint(?:72|88|104|120|136|144|152|168|176|184|200|208|216|232|240|248)|int(?:40|48|72|80|88|96|104|112|120|136|144|152|160|168|176|184|200|208|216|232|240|248)|bytes(?:[135679]|1[013-579]|2[1-35-9]|3[01]))(?=[,)[])/

/** True for a signature that looks searched for: a name of digits or signs, or types that hardly any contract uses. */
export function isSuspicious(signature: string): boolean {
  const name = signature.slice(0, signature.indexOf('(') + 1)
  return MADE_UP.some((form) => form.test(name)) || UNUSUAL.test(signature)
}

/**
 * Returns at most ten candidates, each signature once by its best source. The best source comes first, then
 * signatures that do not look searched for. Ties go to the shortest, then to the first in the order of code units.
 */
export function rankCandidates(
  known: readonly { signature: string; source: SignatureSource }[],
): readonly SignatureCandidate[] {
  const best = new Map<string, SignatureSource>()
  for (const { signature, source } of known) {
    const before = best.get(signature)
    if (before === undefined || rankOf(source) < rankOf(before)) best.set(signature, source)
  }
  return [...best]
    .map(([signature, source]) => ({ signature, source, suspicious: isSuspicious(signature) }))
    .toSorted(
      (one, other) =>
        rankOf(one.source) - rankOf(other.source) ||
        Number(one.suspicious) - Number(other.suspicious) ||
        one.signature.length - other.signature.length ||
        (one.signature < other.signature ? -1 : 1),
    )
    .slice(0, MOST)
}

const rankOf = (source: SignatureSource) => SIGNATURE_SOURCES.indexOf(source)
