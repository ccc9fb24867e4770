import { createHash } from 'node:crypto'
import type { NewOauthCode } from '../../db/identity/oauth-codes.ts'

/** Lifetime of a code, in seconds. */
export const EXTENSION_CODE_SECONDS = 300

/** Hashes a code; only the hash is stored. */
export const hashCode = (code: string) => createHash('sha256').update(code).digest()

/** Returns the statement that a code's seal certifies: the account, the client and the conditions of the exchange. */
export const describeCode = (
  code: Omit<NewOauthCode, 'sealedWallet' | 'seal' | 'masterKeyId' | 'ttlSeconds'>,
) =>
  JSON.stringify([
    'oauth-code',
    code.codeHash.toString('hex'),
    code.accountId,
    code.clientId,
    code.redirectUri,
    code.codeChallenge,
    code.keyAccessMethod,
  ])

/** Returns the owner for which the wallet's address is sealed beside a code. */
export const walletOwner = (codeHash: Buffer) => `oauth-code:${codeHash.toString('hex')}`
