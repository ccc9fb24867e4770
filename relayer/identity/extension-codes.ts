import { createHash } from 'node:crypto'
import type { NewOauthCode } from '../../db/identity/oauth-codes.ts'

/** Lifetime of a code, in seconds. */
export const EXTENSION_CODE_SECONDS = 300

/** Only this is stored of a code. */
export const hashCode = (code: string) => createHash('sha256').update(code).digest()

/** What a code's seal is of: whose account it opens, and to whom. */
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

/** The owner for which the wallet's address is sealed beside a code. */
export const walletOwner = (codeHash: Buffer) => `oauth-code:${codeHash.toString('hex')}`
