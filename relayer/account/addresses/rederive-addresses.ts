import type { DatabasePool } from 'slonik'
import { findKeysOfAccount } from '../../../db/account/profile/accounts.ts'
import { writeMissingAddresses } from '../../../db/account/addresses/stealth-addresses.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { readStoredKeys } from '../../identity/key-material.ts'
import type { Vault } from '../../identity/vault.ts'
import { accountNotFound } from '../../errors.ts'
import { defineError } from '../../service-error.ts'

/** About ten milliseconds of a thread. */
const BATCH = 64

/**
 * Derives the first `count` addresses of an account again, in the worker threads, and writes the missing ones. A
 * database restored from an older copy lacks the newest ones. They become watched again, and their derivationNonces
 * are not issued a second time.
 *
 * @returns How many were missing.
 * @throws ServiceError `not-found` without such an account, `conflict` when a stored address differs from the derived
 * one.
 */
export async function rederiveAddresses(
  parts: { database: DatabasePool; vault: Vault; proving: ProvingPool },
  accountId: string,
  count: number,
): Promise<number> {
  const { database, vault, proving } = parts
  const sealed = await findKeysOfAccount(database, accountId)
  if (!sealed) throw accountNotFound()
  let added = 0
  for (let first = 0; first < count; first += BATCH) {
    // Opened per batch: no key stays open for the whole run.
    const opened = await vault.open(accountId, sealed)
    const keys = readStoredKeys(opened)
    const childViewKey = Uint8Array.from(keys.childViewKey)
    const spendPublicKey = Uint8Array.from(keys.spendPublicKey)
    opened.fill(0)
    const batch = { first: BigInt(first), count: Math.min(BATCH, count - first) }
    const addresses = await proving
      .derive({ childViewKey, spendPublicKey, ...batch })
      .finally(() => childViewKey.fill(0))
    const missing = await database.transaction(async (transaction) => {
      const written = await writeMissingAddresses(transaction, { accountId, first: batch.first, addresses })
      if (written !== null) return written
      throw addressesOfOtherKeys(`Stored addresses from nonce ${first} on are not those of the keys`)
    })
    added += missing
  }
  return added
}

/** The keys of the account do not derive the stored addresses. */
const addressesOfOtherKeys = defineError({
  kind: 'conflict',
  example: 'Stored addresses from nonce 0 on are not those of the keys',
})
