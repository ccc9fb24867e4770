import type { CommonQueryMethods } from 'slonik'
import { recallAddresses, rememberAddresses } from '../../../db/account/profile/earlier-accounts.ts'
import { findSignerOf } from '../../../db/account/fee-waivers/fee-waivers.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'

type Secrets = Pick<TransientSecrets, 'digest'>

const signerHash = (secrets: Secrets, authAddress: string) =>
  secrets.digest('earlier account', authAddress.toLowerCase())

/** Stores, before an account is deleted, how many addresses it had. Without the key the row reveals no owner. */
export async function rememberLife(
  connection: CommonQueryMethods,
  secrets: Secrets,
  accountId: string,
): Promise<void> {
  const authAddress = await findSignerOf(connection, accountId)
  if (authAddress !== null) await rememberAddresses(connection, accountId, signerHash(secrets, authAddress))
}

/** Restores the address count of an earlier account of the same keys: the indexer reads the past of those addresses only. */
export const recallLife = (
  connection: CommonQueryMethods,
  secrets: Secrets,
  { accountId, authAddress }: { accountId: string; authAddress: string },
): Promise<void> => recallAddresses(connection, accountId, signerHash(secrets, authAddress))
