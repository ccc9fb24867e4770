import type { CommonQueryMethods } from 'slonik'
import { recallAddresses, rememberAddresses } from '../../../db/account/profile/earlier-accounts.ts'
import { findSignerOf } from '../../../db/account/fee-waivers/fee-waivers.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'

type Secrets = Pick<TransientSecrets, 'digest'>

const signerHash = (secrets: Secrets, authAddress: string) =>
  secrets.digest('earlier account', authAddress.toLowerCase())

/** Remembers, before an account is deleted, how many addresses it had. Nothing tells whose they were without the key. */
export async function rememberLife(
  connection: CommonQueryMethods,
  secrets: Secrets,
  accountId: string,
): Promise<void> {
  const authAddress = await findSignerOf(connection, accountId)
  if (authAddress !== null) await rememberAddresses(connection, accountId, signerHash(secrets, authAddress))
}

/** Tells a new account how many addresses an earlier one of the same keys had; their past is read, that of all others is not. */
export const recallLife = (
  connection: CommonQueryMethods,
  secrets: Secrets,
  { accountId, authAddress }: { accountId: string; authAddress: string },
): Promise<void> => recallAddresses(connection, accountId, signerHash(secrets, authAddress))
