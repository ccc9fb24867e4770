import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { findHeldCollectible } from '../../../db/account/collectible/collectible-deposits.ts'
import type { Collection } from '../../account/collectible/config.ts'
import { collectibleNotFound } from '../kinds/nft-withdraw/errors.ts'
import type { NftWithdrawRequest } from '../kinds/nft-withdraw/nft-withdraw-request.ts'
import type { Quote, Quotes } from '../transact.ts'
import type { KeepAnswer } from '../../keep-answer.ts'

/** The collectible, its recipient, and the caveats that the user accepted. */
export type WithdrawalRequest = Omit<NftWithdrawRequest, 'kind' | 'chainId' | 'ttl'>

/**
 * Sends collectibles away at the service's cost. Callers have checked that every accountId is the caller's
 * own.
 */
export interface CollectibleWithdrawals {
  /**
   * Quotes the transfer of a recorded collectible: one intent, to be signed by the address that holds it.
   * @throws ServiceError `not-found` unless the collectible is recorded and held; as the kind's plan and
   * quotes do.
   */
  prepare(accountId: string, request: WithdrawalRequest, keepAnswer?: KeepAnswer<Quote>): Promise<Quote>
}

/** Creates the withdrawals over the quotes. */
export function createCollectibleWithdrawals({
  database,
  collections,
  quotes,
}: {
  database: CommonQueryMethods
  collections: readonly Collection[]
  quotes: Pick<Quotes, 'create'>
}): CollectibleWithdrawals {
  return {
    async prepare(accountId, request, keepAnswer) {
      const { depositAddress, tokenId }: { depositAddress: Address; tokenId: bigint } = request
      const held = await findHeldCollectible(database, accountId, collections, {
        address: depositAddress,
        tokenId,
      })
      if (!held) throw collectibleNotFound()
      const { chainId } = held
      const asked = { ...request, kind: 'nft_withdraw', chainId, ttl: undefined } as const
      return quotes.create(accountId, asked, keepAnswer)
    },
  }
}
