import type { DatabasePool } from 'slonik'
import { getAddress } from 'viem'
import {
  findUnusedMadeAt,
  handOutAgain,
  readIssueState,
  takeDerivationNonces,
  type GenerationContext,
  type IssueState,
} from '../../db/addresses/issue-addresses.ts'
import { deriveAddresses } from '../../proving/derivation/derive-addresses.ts'
import type { StealthCurve } from '../../proving/derivation/stealth-curve.ts'
import { readStoredKeys } from '../accounts/stored-keys.ts'
import type { Vault } from '../identity/vault.ts'
import { ServiceError } from '../service-error.ts'
import type { IssuedAddress } from './addresses.ts'
import type { AddressesConfig } from './config.ts'

export interface IssueParts {
  database: DatabasePool
  vault: Vault
  curve: StealthCurve
  config: AddressesConfig
}

/** Other instances may take the derivationNonces first; each time one of them got ahead. */
const ATTEMPTS = 20

/**
 * Issues `wanted` addresses of one account. They are derived before anything is locked: taking their derivationNonces
 * and writing them is one statement, which does nothing where somebody else took them meanwhile, and then they are
 * derived anew. So no derivationNonce is skipped or given twice, whatever fails in between.
 */
export async function issueAddresses(
  parts: IssueParts,
  accountId: string,
  context: GenerationContext,
  wanted: number,
): Promise<IssuedAddress[]> {
  const { database, config } = parts
  const limit = config.freshPerWindow
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const since = new Date(Date.now() - config.windowMs)
    const state = await readIssueState(database, { accountId, since, wanted, limit })
    if (!state) throw new ServiceError('not-found', 'There is no such account')
    // What the service makes for itself is never handed to anybody and always fresh.
    const room = context === 'fund-movement' ? wanted : Math.max(0, limit - state.fresh)
    const fresh = await issueFresh(parts, accountId, context, state, Math.min(wanted, room))
    if (fresh) return [...fresh, ...(await issueAgain(parts, accountId, wanted - fresh.length))]
  }
  throw new ServiceError('unavailable', 'Too many addresses are being issued at once; try again', {
    code: 'SERVER_BUSY',
  })
}

/** Null when somebody else took the derivationNonces. */
async function issueFresh(
  { database, vault, curve }: IssueParts,
  accountId: string,
  context: GenerationContext,
  { nextDerivationNonce: first, sealedKeys }: IssueState,
  count: number,
): Promise<IssuedAddress[] | null> {
  if (count === 0) return []
  const keys = await vault.open(accountId, sealedKeys)
  try {
    const nonces = Array.from({ length: count }, (_, index) => first + BigInt(index))
    const addresses = deriveAddresses(curve, readStoredKeys(keys), nonces)
    if (!(await takeDerivationNonces(database, { accountId, first, addresses, context }))) return null
    return addresses.map((address, index) => ({
      address,
      derivationNonce: Number(first) + index,
      reused: false,
      limitResetsAt: null,
    }))
  } finally {
    keys.fill(0)
  }
}

async function issueAgain(
  { database, config }: IssueParts,
  accountId: string,
  count: number,
): Promise<IssuedAddress[]> {
  if (count === 0) return []
  const rows = await handOutAgain(database, accountId, count)
  const madeAt = await findUnusedMadeAt(database, accountId, config.freshPerWindow)
  const limitResetsAt = new Date((madeAt?.getTime() ?? Date.now()) + config.windowMs)
  // With fewer of them than calls, each is handed out several times.
  return Array.from({ length: count }, (_, index) => {
    const row = rows[index % rows.length]
    if (!row) throw new ServiceError('unavailable', 'Addresses are being used right now; try again')
    const { address, derivationNonce } = row
    return { address: getAddress(address), derivationNonce, reused: true, limitResetsAt }
  })
}
