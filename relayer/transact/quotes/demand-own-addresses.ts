import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { countOwnAddresses } from '../../../db/account/addresses/count-own-addresses.ts'
import { badRequest } from '../../errors.ts'

/**
 * Checks that a client names only addresses of its account.
 * @throws ServiceError `bad-request` BAD_REQUEST.
 */
export async function demandOwnAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly Address[],
): Promise<void> {
  const named = [...new Set(addresses)]
  if (named.length === 0 || (await countOwnAddresses(connection, accountId, named)) === named.length) return
  throw badRequest('acknowledgedProvenanceMix: expected addresses of the account')
}
