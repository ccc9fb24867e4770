import { z } from 'zod'
import type { SpendRow } from '../../../db/pool/book/pool-spends.ts'
import { type Vault, spendOwner } from '../../identity/vault.ts'
import { SPEND_KINDS, type ToldSpend, padText, unpadText } from './book-content.ts'
import type { BookedPool } from './pool-books.ts'

/** Size of a sealed record of a submitted spend; all records have the same. */
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
/** A submitted spend in the account's list. The book has its state. */
export type SpendRecord = z.output<typeof spendRecord> & { id: string }

const ownerOf = (accountId: string, id: string) => spendOwner(`${accountId}:${id}`)

/** Seals a spend submitted now, for the account's list. */
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

/** Opens a record of {@link sealSpend}. @throws VaultError if it is not of this account and id. */
export async function openSpend(vault: Vault, accountId: string, row: SpendRow): Promise<SpendRecord> {
  const bytes = await vault.open(ownerOf(accountId, row.id), row)
  return { id: row.id, ...spendRecord.parse(JSON.parse(unpadText(bytes))) }
}
