import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { writeMissingAddresses } from '../../../../db/account/addresses/stealth-addresses.ts'
import { seedAccount } from '../../account/seed-account.ts'

/** Stealth addresses of a new account. */
export async function seedAddresses(
  connection: CommonQueryMethods,
  addresses: readonly Address[],
): Promise<void> {
  const { accountId } = await seedAccount(connection)
  if ((await writeMissingAddresses(connection, { accountId, first: 0n, addresses })) !== addresses.length)
    throw new Error('an address is known already')
}
