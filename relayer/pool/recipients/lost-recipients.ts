import type { DatabasePool } from 'slonik'
import { isAddressEqual, type Address } from 'viem'
import { listKnownContracts, type KnownContract } from '../../../db/pool/recipients/known-contracts.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import { isBurnAddress, listConfiguredContracts } from '../../chain/nodes/lost-addresses.ts'
import { gatherCalls } from '../../concurrency/gather-calls.ts'
import type { PublicTokens } from '../../market/tokens/tokens.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import type { PoolState } from '../state/pool-state.ts'
import type { lostRecipientErrors } from './errors.ts'
import { burnAddressRecipient, serviceContractRecipient, tokenContractRecipient } from './errors.ts'

/**
 * Milliseconds for which a recipient counts as unknown. A quote and its request need one read; a token looked up
 * between them is found later.
 */
const UNKNOWN_MS = 30_000
const UNKNOWN_KEPT = 10_000

/** The error that says why a payment would be lost. */
export type LostRecipientError = (typeof lostRecipientErrors)[number]

/** Finds recipients that would keep the money for good, for sends, swaps, relays and spends from a pool. */
export interface LostRecipients {
  /**
   * Returns why a payment to the recipient would be lost; null if it would not. Calls of one tick cost one statement.
   * A recipient missing from the stored rows is not read again for half a minute.
   * @param payment.token The paid token; the native coin by either name.
   */
  find(recipient: Address, payment: { chainId: number; token: Address }): Promise<LostRecipientError | null>
  /** @throws ServiceError `bad-request` with the error of {@link find}. */
  refuse(recipient: Address, payment: { chainId: number; token: Address }): Promise<void>
}

/** Creates the check over the settings, the catalogue, looked-up tokens and every pool that was ever registered. */
export function createLostRecipients(parts: {
  database: DatabasePool
  chains: Chains
  poolsOf(chainId: number): PoolState | undefined
  tokens: PublicTokens
}): LostRecipients {
  const { database, chains, poolsOf, tokens } = parts
  const configured = new Map([...chains].map(([id, { config }]) => [id, listConfiguredContracts(config)]))
  const readStored = gatherCalls((keys: readonly KnownContract[]) => listKnownContracts(database, keys))
  /** Milliseconds of the monotonic clock until which a recipient counts as absent from the stored rows. */
  const unknown = new SharedPlaces<string, number>(UNKNOWN_KEPT)

  async function findStored(id: KnownContract) {
    const key = `${id.chainId}:${id.address}`
    if ((unknown.get(key) ?? 0) > performance.now()) return undefined
    const stored = (await readStored(id)).find(
      (known) => known.chainId === id.chainId && isAddressEqual(known.address, id.address),
    )
    if (!stored) unknown.set(key, performance.now() + UNKNOWN_MS)
    return stored
  }

  const isCurrentPool = (chainId: number, recipient: Address) =>
    poolsOf(chainId)
      ?.pools()
      .some(({ address }) => isAddressEqual(address, recipient)) === true

  async function find(recipient: Address, { chainId, token }: { chainId: number; token: Address }) {
    if (isBurnAddress(recipient)) return burnAddressRecipient
    const id = { chainId, address: recipient }
    if (isAddressEqual(recipient, token) || tokens.isListed(id)) return tokenContractRecipient
    if (configured.get(chainId)?.has(recipient) || isCurrentPool(chainId, recipient))
      return serviceContractRecipient
    const stored = await findStored(id)
    if (stored?.isPool) return serviceContractRecipient
    if (stored?.isToken && (await tokens.findPublic(id)) !== null) return tokenContractRecipient
    return null
  }

  return {
    find,
    async refuse(recipient, payment) {
      const lost = await find(recipient, payment)
      if (lost) throw lost()
    },
  }
}
