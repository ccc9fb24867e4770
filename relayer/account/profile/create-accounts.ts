import { getAddress } from 'viem'
import { findProfile, saveCustomEnsName, dismissPrompt } from '../../../db/account/profile/accounts.ts'
import {
  deleteContactEmail,
  findContactEmail,
  saveContactEmail,
} from '../../../db/account/profile/contact-emails.ts'
import { findSubdomain } from '../../../db/account/subdomains/subdomains.ts'
import { contactEmailOwner } from '../../identity/vault.ts'
import type { Accounts } from './accounts.ts'
import { createAccount, type CreateAccountParts } from './create-account.ts'
import { accountNotFound, badRequest } from '../../errors.ts'

/** Creates the accounts over PostgreSQL. The vault seals key material and contact emails before they are stored. */
export function createAccounts(parts: CreateAccountParts): Accounts {
  const { database, vault, feeWaivers, config } = parts
  const dismissable = new Set(config.dismissablePrompts)
  return {
    create: (principal, request) => createAccount(parts, principal, request),
    async readProfile(accountId) {
      const row = await findProfile(database, accountId)
      if (!row) throw accountNotFound()
      return {
        accountId: row.id,
        address: getAddress(row.authAddress),
        createdAt: row.createdAt,
        subdomain: await findSubdomain(database, accountId),
        encryptedCustomEnsName: row.encryptedCustomEnsName,
        activationOfferClaimExpiresAt: await feeWaivers.offerExpiresAt(accountId),
        lastConsumedNonce: row.nextDerivationNonce === 0 ? null : row.nextDerivationNonce - 1,
        hasPoolDeposits: row.hasPoolDeposits,
        dismissedProfilePrompts: row.dismissedPrompts,
      }
    },
    writeCustomEnsName: (accountId, encrypted) => saveCustomEnsName(database, accountId, encrypted),
    async readContactEmail(accountId) {
      const sealed = await findContactEmail(database, accountId)
      if (!sealed) return null
      return Buffer.from(await vault.open(contactEmailOwner(accountId), sealed)).toString('utf8')
    },
    async writeContactEmail(accountId, email) {
      if (email === null) return deleteContactEmail(database, accountId)
      const sealed = await vault.seal(contactEmailOwner(accountId), Buffer.from(email, 'utf8'))
      return saveContactEmail(database, accountId, sealed)
    },
    async dismissPrompt(accountId, promptId) {
      if (!dismissable.has(promptId)) {
        throw badRequest(
          `There is no such prompt to dismiss; there are ${config.dismissablePrompts.join(', ')}`,
        )
      }
      return dismissPrompt(database, accountId, promptId)
    },
  }
}
