import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { DatabasePool, CommonQueryMethods } from 'slonik'
import { isAddressEqual } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import {
  findKeysOfSigner,
  insertAccount,
  recallAddresses,
  rememberAddresses,
} from '../../../db/account/profile/accounts.ts'
import { consumeInviteCode } from '../../../db/identity/invite-codes.ts'
import { holdReservedNames } from '../../../db/account/subdomains/subdomains.ts'
import type { Identity } from '../../identity/identity.ts'
import type { Principal } from '../../identity/principal.ts'
import type { Vault } from '../../identity/vault.ts'
import type { CreatedAccount, NewAccount } from './accounts.ts'
import type { AccountsConfig } from './config.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import type { FeeWaivers } from '../fee-waivers/fee-waivers.ts'
import type { Referrals } from '../referrals/referrals.ts'
import { encodeStoredKeys } from '../../identity/key-material.ts'
import { accountExists, creationNeedsSignIn, inviteCodeRefused } from './errors.ts'
import { badRequest } from '../../errors.ts'
import { findSignerOf } from '../../../db/account/fee-waivers/fee-waivers.ts'

/** Dependencies of creating an account. */
export interface CreateAccountParts {
  database: DatabasePool
  identity: Identity
  vault: Vault
  referrals: Referrals
  feeWaivers: FeeWaivers
  secrets: TransientSecrets
  config: AccountsConfig
}

/** Implements {@link import('./accounts.ts').Accounts.create}. */
export async function createAccount(
  parts: CreateAccountParts,
  principal: Principal,
  request: NewAccount,
): Promise<CreatedAccount> {
  const { kind, authAddress } = principal
  if (kind !== 'session' || !authAddress) throw creationNeedsSignIn()
  const keys = await parts.identity.openKeyMaterial(request)
  if (!isAddressEqual(publicKeyToAddress(keys.spendPublicKey), authAddress)) {
    throw badRequest('P_spend in the key material is not the public key of the address that signed in')
  }
  const stored = encodeStoredKeys(keys)
  try {
    const answer =
      (await answerExisting(parts, authAddress, stored)) ??
      (await insertNew(parts, authAddress, stored, request))
    if (answer) return answer
    const winner = await answerExisting(parts, authAddress, stored)
    if (!winner) throw new Error('an account vanished while it was being created')
    return winner
  } finally {
    stored.fill(0)
  }
}

/** Returns the answer for an address that has an account of the same keys; null if it has none. */
async function answerExisting(
  { database, vault }: CreateAccountParts,
  authAddress: string,
  stored: Buffer,
): Promise<CreatedAccount | null> {
  const existing = await findKeysOfSigner(database, authAddress)
  if (!existing) return null
  const known = await vault.open(existing.id, existing.sealedKeys)
  const same = known.length === stored.length && timingSafeEqual(known, stored)
  known.fill(0)
  if (!same) throw accountExists()
  return { accountId: null, alreadyExisted: true, referralApplied: false }
}

/** Inserts the account. Null if a concurrent attempt created it. */
async function insertNew(
  { database, vault, config, secrets, feeWaivers, referrals }: CreateAccountParts,
  authAddress: string,
  stored: Buffer,
  request: NewAccount,
): Promise<CreatedAccount | null> {
  const id = randomUUID()
  const { experimentId, experimentKey, variantKey } = request.onboarding
  const account = {
    id,
    authAddress,
    sealedKeys: await vault.seal(id, stored),
    experimentId: experimentId ?? null,
    experimentKey: experimentKey ?? null,
    variantKey: variantKey ?? null,
  }
  const { inviteCode, referralCode = '' } = request
  return database.transaction(async (transaction) => {
    if (!(await insertAccount(transaction, account))) return null
    if (config.inviteRequired) await demandInvite(transaction, inviteCode)
    await recallLife(transaction, secrets, { accountId: id, authAddress })
    await feeWaivers.welcome(transaction, { accountId: id, authAddress })
    if (inviteCode) await holdReservedNames(transaction, id, inviteCode)
    const referralApplied = await referrals.apply(transaction, { accountId: id, code: referralCode })
    return { accountId: id, alreadyExisted: false, referralApplied }
  })
}

async function demandInvite(
  connection: Parameters<typeof consumeInviteCode>[0],
  inviteCode: NewAccount['inviteCode'],
): Promise<void> {
  if (!inviteCode) throw inviteCodeRefused('Access is by invitation: an inviteCode is needed')
  if (!(await consumeInviteCode(connection, inviteCode)))
    throw inviteCodeRefused('This invite code is unknown, expired or used up')
}

type Secrets = TransientSecrets

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
const recallLife = (
  connection: CommonQueryMethods,
  secrets: Secrets,
  { accountId, authAddress }: { accountId: string; authAddress: string },
): Promise<void> => recallAddresses(connection, accountId, signerHash(secrets, authAddress))
