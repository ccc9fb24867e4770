import type { DatabasePool } from 'slonik'
import {
  findHindrance,
  findSubdomain,
  insertSubdomain,
  isKeptFor,
  type NameClaimant,
} from '../../../db/account/subdomains/subdomains.ts'
import type { NamesConfig } from './config.ts'
import { normalizeSubdomain } from './normalize-subdomain.ts'
import { accountHasName, nameNotAvailable } from './errors.ts'
import { badRequest, serverBusy } from '../../errors.ts'
import { DataSet, englishDataset, englishRecommendedTransformers, pattern, RegExpMatcher } from 'obscenity'
import { randomInt } from 'node:crypto'
import { english } from 'viem/accounts'

const SUGGESTIONS = 8

/** Creates the subdomains over PostgreSQL. A unique index decides between concurrent claims of one name. */
export function createSubdomains(database: DatabasePool, config: NamesConfig): Subdomains {
  const isOnList = createNameBlock(config.reserved)

  /** A blocked name is open to claimants for whom the operator reserved it. */
  const isBlocked = async (name: string, claimant: NameClaimant) =>
    isOnList(name) && !(await isKeptFor(database, name, claimant))

  async function check(name: string, inviteCode: string | null): Promise<NameCheck> {
    if (await isBlocked(name, { accountId: null, inviteCode })) return { available: false, reason: 'blocked' }
    const hindrance = await findHindrance(database, name, { accountId: null, inviteCode })
    if (hindrance === null) return { available: true }
    return { available: false, reason: hindrance === 'reserved' ? 'blocked' : 'taken' }
  }

  return {
    check: async ({ name, inviteCode }) => check(demandName(name), inviteCode ?? null),

    async claim(accountId, request) {
      const name = demandName(request.name)
      const claimant = { accountId, inviteCode: request.inviteCode ?? null }
      const isClaimed =
        !(await isBlocked(name, claimant)) && (await insertSubdomain(database, { name, ...claimant }))
      if (isClaimed) return name
      const own = await findSubdomain(database, accountId)
      if (own === name) return name
      if (own !== null) throw accountHasName()
      throw nameNotAvailable()
    },

    async suggest() {
      // Digits are added only if every suggested pair of words is taken.
      for (const withNumber of [false, true]) {
        for (const name of suggestNames(SUGGESTIONS, withNumber)) {
          if ((await check(name, null)).available) return name
        }
      }
      throw serverBusy('No free name was found; try again')
    },
  }
}

function demandName(text: string): string {
  const name = normalizeSubdomain(text)
  if (name !== null) return name
  throw badRequest('A name has 3 to 32 characters of a–z, 0–9 and inner hyphens, and no look-alikes of them')
}

const words = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .addPhrase((phrase) => phrase.setMetadata({ originalWord: 'nazi' }).addPattern(pattern`nazi`))
  .addPhrase((phrase) => phrase.setMetadata({ originalWord: 'hitler' }).addPattern(pattern`hitler`))

/** Detects offensive words through leetspeak and repeated letters. */
const matcher = new RegExpMatcher({ ...words.build(), ...englishRecommendedTransformers })

/** Creates a check that is true for a reserved or offensive normalized name, even if hyphens split the word. */
export function createNameBlock(reserved: readonly string[]): (name: string) => boolean {
  const kept = new Set(reserved.map(withoutHyphens))
  return (name) =>
    kept.has(withoutHyphens(name)) || matcher.hasMatch(name) || matcher.hasMatch(withoutHyphens(name))
}

function withoutHyphens(name: string): string {
  return name.replaceAll('-', '')
}

/** Makes random names of two words; `withNumber` appends four digits. */
export function suggestNames(count: number, withNumber: boolean): string[] {
  return Array.from({ length: count }, () => {
    const words = `${pickWord()}-${pickWord()}`
    return withNumber ? `${words}-${randomInt(1_000, 10_000)}` : words
  })
}

/** Picks from BIP-39's list: 2,048 short plain words that are hard to confuse. */
function pickWord(): string {
  return english[randomInt(english.length)] ?? ''
}

/** The availability of a name for a claim. */
type NameCheck = { available: true } | { available: false; reason: 'taken' | 'blocked' }

/** The accounts' names below the service's parent name. Every accountId here has been checked to be the caller's. */
export interface Subdomains {
  /** @throws ServiceError `bad-request` for text that cannot be a name. */
  check(request: { name: string; inviteCode: string | undefined }): Promise<NameCheck>
  /**
   * Gives the account a name, for good. Claiming the same name again is no error. Of concurrent claims by several
   * accounts, one succeeds.
   *
   * @returns the name in its normalised form.
   * @throws ServiceError `bad-request` for text that cannot be a name, `conflict` if the name is unavailable or the
   * account has another.
   */
  claim(accountId: string, request: { name: string; inviteCode: string | undefined }): Promise<string>
  /** Returns a random name that is free now, without reserving it. */
  suggest(): Promise<string>
}
