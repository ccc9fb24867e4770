import { randomUUID, randomInt } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import {
  findAttribution,
  insertAttribution,
  revokeAttribution,
  summarizeReferrals,
  type AttributionRow,
} from '../../../db/account/referrals/referral-attributions.ts'
import {
  findReferrerByCode,
  findReferrerByName,
  openReferralProfile,
  type ReferrerRow,
} from '../../../db/account/referrals/referral-profiles.ts'
import { normalizeSubdomain } from '../subdomains/normalize-subdomain.ts'
import type { ReferralsConfig } from './config.ts'
import type { Attribution, Referrals, ReferralTerms, Referrer } from './referrals.ts'
import { attributionNotFound, noReferralProgramme, referrerNotFound } from './errors.ts'
import { serverBusy } from '../../errors.ts'

const CODE_ATTEMPTS = 5

/**
 * Creates the referral programme over PostgreSQL. With `enabled` false it finds no referrer and adds no attribution;
 * earlier attributions stay.
 * @param parentName The parent name of the accounts' names, if any.
 */
export function createReferrals(
  database: DatabasePool,
  config: ReferralsConfig,
  parentName?: string,
): Referrals {
  const { enabled, ...terms } = config

  function demandProgramme(): void {
    if (!enabled) throw noReferralProgramme()
  }

  const labelOf = (name: string) =>
    parentName !== undefined && name.toLowerCase().endsWith(`.${parentName}`)
      ? name.slice(0, -parentName.length - 1)
      : name

  return {
    isAvailable: () => enabled,

    async findByName(name) {
      demandProgramme()
      const label = normalizeSubdomain(labelOf(name))
      return toReferrer(label === null ? null : await findReferrerByName(database, label), terms)
    },

    async findByCode(text) {
      demandProgramme()
      const code = readReferralCode(text)
      return toReferrer(code === null ? null : await findReferrerByCode(database, code), terms)
    },

    async apply(connection, { accountId, code: text }) {
      const code = readReferralCode(text)
      if (!enabled || code === null) return false
      return insertAttribution(connection, { id: randomUUID(), accountId, code, ...terms })
    },

    readAttribution: (accountId) => demandAttribution(database, accountId),

    async endAttribution(accountId) {
      await revokeAttribution(database, accountId)
      return demandAttribution(database, accountId)
    },

    async summarize(accountId) {
      const { earnedUsdMicros, ...counts } = await summarizeReferrals(database, accountId)
      return { ...counts, totalEarnedUsd: formatMicros(earnedUsdMicros) }
    },

    async openProfile(accountId) {
      demandProgramme()
      return { code: await openCode(database, accountId), ...terms }
    },
  }
}

async function demandAttribution(database: DatabasePool, accountId: string): Promise<Attribution> {
  const row = await findAttribution(database, accountId)
  if (!row) throw attributionNotFound()
  return toAttribution(row)
}

/** Opens the account's profile, and returns its code: a new one at the first time. */
async function openCode(database: DatabasePool, accountId: string): Promise<string> {
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt++) {
    const code = await openReferralProfile(database, accountId, makeReferralCode())
    if (code !== null) return code
  }
  throw serverBusy('No code was found; try again')
}

function toReferrer(row: ReferrerRow | null, terms: ReferralTerms): Referrer {
  if (!row) throw referrerNotFound()
  return { code: row.code, referrerName: row.name, ...terms }
}

function toAttribution({ id: _id, ...attribution }: AttributionRow): Attribution {
  return attribution
}

/** Formats millionths of a dollar as dollars, with at least two decimals. */
function formatMicros(micros: bigint): string {
  const digits = micros.toString().padStart(7, '0')
  const fraction = digits.slice(-6)
  return `${digits.slice(0, -6)}.${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, '')}`
}

/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** Makes a new code of 50 bits, too many to guess. */
export function makeReferralCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Normalizes a code that a person typed; null for text that is no code. */
function readReferralCode(text: string): string | null {
  if (text.length > 2 * LENGTH) return null
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return FORM.test(code) ? code : null
}
