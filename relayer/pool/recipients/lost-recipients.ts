import type { DatabasePool } from 'slonik'
import { isAddressEqual, type Address } from 'viem'
import { listKnownContracts, type KnownContract } from '../../../db/pool/recipients/known-contracts.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import { isBurnAddress, listConfiguredContracts } from '../../chain/nodes/lost-addresses.ts'
import { gatherCalls } from '../../concurrency/gather-calls.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { PoolState } from '../state/pool-state.ts'
import type { lostRecipientErrors } from './errors.ts'
import { burnAddressRecipient, serviceContractRecipient, tokenContractRecipient } from './errors.ts'

/** The error that says why a payment would be lost. */
export type LostRecipientError = (typeof lostRecipientErrors)[number]

/** Finds recipients that would keep the money for good, for sends, swaps, spends from a pool and relays. */
export interface LostRecipients {
  /**
   * Why a payment to the recipient would be lost; null where it would not. Calls of one tick cost one statement.
   * @param payment.token The paid token; the native coin by either name.
   */
  find(recipient: Address, payment: { chainId: number; token: Address }): Promise<LostRecipientError | null>
  /** @throws ServiceError `bad-request` with what {@link find} says. */
  refuse(recipient: Address, payment: { chainId: number; token: Address }): Promise<void>
}

/** Finds lost recipients by the settings, the catalogue, looked-up tokens and every pool that was ever registered. */
export function createLostRecipients(parts: {
  database: DatabasePool
  chains: Chains
  poolsOf(chainId: number): PoolState | undefined
  tokens: Pick<Tokens, 'findPublic' | 'isListed'>
}): LostRecipients {
  const { database, chains, poolsOf, tokens } = parts
  const configured = new Map([...chains].map(([id, { config }]) => [id, listConfiguredContracts(config)]))
  const readStored = gatherCalls((keys: readonly KnownContract[]) => listKnownContracts(database, keys))

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
    const stored = (await readStored(id)).find(
      (known) => known.chainId === chainId && isAddressEqual(known.address, recipient),
    )
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
