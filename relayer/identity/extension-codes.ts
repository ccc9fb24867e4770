import { createHash } from 'node:crypto'

/** Lifetime of a code, in seconds. */
export const EXTENSION_CODE_SECONDS = 300

/** Only this is stored of a code. */
export const hashCode = (code: string) => createHash('sha256').update(code).digest()

/** For whom the wallet's address is sealed beside a code. */
export const walletOwner = (codeHash: Buffer) => `oauth-code:${codeHash.toString('hex')}`
