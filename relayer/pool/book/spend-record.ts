import { z } from 'zod'
import type { SpendRow } from '../../../db/pool/book/pool-spends.ts'
import { spendOwner } from '../../identity/sealed-owners.ts'
import type { Vault } from '../../identity/vault.ts'
import { SPEND_KINDS, type ToldSpend } from './book-content.ts'
import { padText, unpadText } from './pad-text.ts'
import type { BookedPool } from './pool-books.ts'

/** What is kept of a submitted spend for the account's list; all records have one size. */
const RECORD_BYTES = 1_024

const digits = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const spendRecord = z.object({
  kind: z.enum(SPEND_KINDS),
  chainId: z.int().positive(),
  pool: z.string(),
  /** Smallest unit. */
  receives: digits,
  fee: digits,
  /** Milliseconds since 1970. */
  submittedAt: z.int(),
})
/** A submitted spend in the account's list. How it stands is in the book. */
export type SpendRecord = z.output<typeof spendRecord> & { id: string }

const ownerOf = (accountId: string, id: string) => spendOwner(`${accountId}:${id}`)

/** A spend that is submitted now, sealed for the account's list. */
export async function sealSpend(
  vault: Vault,
  accountId: string,
  { chainId, address }: BookedPool,
  { id, kind, receives, fee }: ToldSpend,
): Promise<SpendRow> {
  const record = {
    kind,
    chainId,
    pool: address,
    receives: String(receives),
    fee: String(fee),
    submittedAt: Date.now(),
  }
  const sealed = await vault.seal(ownerOf(accountId, id), padText(JSON.stringify(record), RECORD_BYTES))
  return { id, ...sealed }
}

/** Opens what {@link sealSpend} made. @throws VaultError when it is not of this account and id. */
export async function openSpend(
  vault: Pick<Vault, 'open'>,
  accountId: string,
  row: SpendRow,
): Promise<SpendRecord> {
  const bytes = await vault.open(ownerOf(accountId, row.id), row)
  return { id: row.id, ...spendRecord.parse(JSON.parse(unpadText(bytes))) }
}
