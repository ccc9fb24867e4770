import type { CommonQueryMethods } from 'slonik'
import { bytesToHex, isAddressEqual, type Address } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { findKeysOfAccount } from '../../db/account/profile/accounts.ts'
import { SharedPlaces } from '../shares/shared-places.ts'
import { readStoredKeys } from './stored-keys.ts'
import { VaultError } from './create-vault.ts'
import type { MacFailures } from './mac-failures.ts'
import type { Vault } from './vault.ts'

/** Whether an account is an auth address's, whatever its row says. */
export type ProveOwner = (accountId: string, authAddress: Address) => Promise<boolean>

/** Some 100 bytes each. */
const MAX_PROVEN = 50_000

/**
 * Proves that an account belongs to an auth address by its sealed keys: only the master key can seal them, they open
 * for their own account only, and their P_spend is the key of the auth address. That never changes, so each instance
 * checks it once per account.
 */
export function createOwnerProofs(parts: {
  database: CommonQueryMethods
  vault: Vault
  suspects: MacFailures
}): ProveOwner {
  const { database, vault, suspects } = parts
  const proven = new SharedPlaces<string, Address>(MAX_PROVEN)
  return async (accountId, authAddress) => {
    if (proven.get(accountId) === authAddress) return true
    const owner = await readOwner(database, vault, accountId)
    if (!owner || !isAddressEqual(owner, authAddress)) {
      suspects.tell('account')
      return false
    }
    proven.set(accountId, authAddress)
    return true
  }
}

async function readOwner(
  database: CommonQueryMethods,
  vault: Vault,
  accountId: string,
): Promise<Address | null> {
  const sealed = await findKeysOfAccount(database, accountId)
  if (!sealed) return null
  let opened: Uint8Array | undefined
  try {
    opened = await vault.open(accountId, sealed)
    return publicKeyToAddress(bytesToHex(readStoredKeys(opened).spendPublicKey))
  } catch (error) {
    // Keys of another length are not valid either.
    if (error instanceof VaultError || error instanceof RangeError) return null
    throw error
  } finally {
    opened?.fill(0)
  }
}
