import type { CommonQueryMethods } from 'slonik'
import { bytesToHex, isAddressEqual, type Address } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { findKeysOfAccount } from '../../db/account/profile/accounts.ts'
import { SharedPlaces } from '../shares/shared-places.ts'
import { readStoredKeys } from './key-material.ts'
import { VaultError } from './create-vault.ts'
import type { MacFailures } from './mac-failures.ts'
import type { Vault } from './vault.ts'

/** True if an account belongs to an auth address, by proof instead of its row. */
export type ProveOwner = (accountId: string, authAddress: Address) => Promise<boolean>

/** Maximum of cached proofs, about 100 bytes each. */
const MAX_PROVEN = 50_000

/**
 * Creates proofs that an account belongs to an auth address, from its sealed keys. Only the master key can seal them,
 * and they open for their own account only. Their P_spend is the key of the auth address. That never changes, so each
 * instance checks it once per account.
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
    // Keys of another length are invalid too.
    if (error instanceof VaultError || error instanceof RangeError) return null
    throw error
  } finally {
    opened?.fill(0)
  }
}
