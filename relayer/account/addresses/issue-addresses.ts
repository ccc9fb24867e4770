import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { getAddress } from 'viem'
import {
  findUnusedMadeAt,
  handOutAgain,
  lockAccount,
  readIssueState,
  takeDerivationNonces,
  type GenerationContext,
} from '../../../db/account/addresses/issue-addresses.ts'
import { deriveAddresses } from '../../../proving/derivation/derive-addresses.ts'
import type { StealthCurve } from '../../../proving/derivation/stealth-curve.ts'
import { readStoredKeys } from '../../identity/key-material.ts'
import type { Vault } from '../../identity/vault.ts'
import type { IssuedAddress } from './addresses.ts'
import type { AddressesConfig } from './config.ts'
import { accountNotFound, serverBusy } from '../../errors.ts'

/** Dependencies of issuing addresses: the vault opens the account's view key, the curve derives. */
export interface IssueParts {
  database: DatabasePool
  vault: Vault
  curve: StealthCurve
  config: AddressesConfig
}

/**
 * Issues `wanted` addresses of one account. Derivation happens before any lock. One statement then takes the
 * derivationNonces and writes the addresses, unless another instance took them meanwhile. In that case derivation is
 * repeated with the account locked. So no derivationNonce is skipped or given twice, whatever fails in between.
 */
export async function issueAddresses(
  parts: IssueParts,
  accountId: string,
  context: GenerationContext,
  wanted: number,
): Promise<IssuedAddress[]> {
  const { database } = parts
  const fresh =
    (await issueFresh(database, parts, accountId, context, wanted)) ??
    (await database.transaction(async (transaction) => {
      await lockAccount(transaction, accountId)
      return issueFresh(transaction, parts, accountId, context, wanted)
    }))
  if (!fresh) throw new Error('derivationNonces were issued without the lock of their account')
  return [...fresh, ...(await issueAgain(parts, accountId, wanted - fresh.length))]
}

/**
 * Issues `wanted` addresses of an account whose network has reached its limit of fresh ones. Repeats unused
 * addresses, and issues one fresh address only if there is none. So an account that is paid gets more, and a new
 * account in a busy network still gets its first.
 */
export async function issueScarce(
  parts: IssueParts,
  accountId: string,
  wanted: number,
): Promise<IssuedAddress[]> {
  const again = await listUnused(parts, accountId, wanted)
  if (again.length > 0) return repeat(again, wanted, new Date(Date.now() + parts.config.windowMs))
  const first = await issueAddresses(parts, accountId, 'external', 1)
  return [...first, ...(await issueAgain(parts, accountId, wanted - 1))]
}

/** Issues fresh addresses within the limit; null if another transaction took the derivationNonces first. */
async function issueFresh(
  connection: CommonQueryMethods,
  { vault, curve, config }: IssueParts,
  accountId: string,
  context: GenerationContext,
  wanted: number,
): Promise<IssuedAddress[] | null> {
  const limit = config.freshPerWindow
  const since = new Date(Date.now() - config.windowMs)
  const state = await readIssueState(connection, { accountId, since, wanted, limit })
  if (!state) throw accountNotFound()
  // Addresses for fund movements or for an app are exempt from the limit: they are always fresh and never handed out
  // again.
  const room = context === 'external' ? Math.max(0, limit - state.fresh) : wanted
  const count = Math.min(wanted, room)
  if (count === 0) return []
  const first = state.nextDerivationNonce
  const keys = await vault.open(accountId, state.sealedKeys)
  try {
    const nonces = Array.from({ length: count }, (_, index) => first + BigInt(index))
    const addresses = deriveAddresses(curve, readStoredKeys(keys), nonces)
    if (!(await takeDerivationNonces(connection, { accountId, first, addresses, context }))) return null
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

async function issueAgain(parts: IssueParts, accountId: string, count: number): Promise<IssuedAddress[]> {
  if (count === 0) return []
  const { database, config } = parts
  const rows = await listUnused(parts, accountId, count)
  const madeAt = await findUnusedMadeAt(database, accountId, config.freshPerWindow)
  return repeat(rows, count, new Date((madeAt?.getTime() ?? Date.now()) + config.windowMs))
}

/** Returns the unused addresses that were handed out longest ago. */
const listUnused = ({ database }: IssueParts, accountId: string, count: number) =>
  database.transaction(async (transaction) => {
    // Without the lock, instances could hand out the same addresses.
    await lockAccount(transaction, accountId)
    return handOutAgain(transaction, accountId, count)
  })

/** Builds the answers; repeats rows if there are fewer than `count`. */
function repeat(
  rows: Awaited<ReturnType<typeof handOutAgain>>,
  count: number,
  limitResetsAt: Date,
): IssuedAddress[] {
  return Array.from({ length: count }, (_, index) => {
    const row = rows[index % rows.length]
    if (!row) throw serverBusy('Addresses are being used right now; try again')
    const { address, derivationNonce } = row
    return { address: getAddress(address), derivationNonce, reused: true, limitResetsAt }
  })
}
