import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { writeMissingAddresses } from '../../../../db/account/addresses/rederive-addresses.ts'
import { insertAccount } from '../../account/insert-account.ts'

/** Stealth addresses of a new account. */
export async function addAddresses(
  connection: CommonQueryMethods,
  addresses: readonly Address[],
): Promise<void> {
  const { accountId } = await insertAccount(connection)
  if ((await writeMissingAddresses(connection, { accountId, first: 0n, addresses })) !== addresses.length)
    throw new Error('an address is known already')
}
