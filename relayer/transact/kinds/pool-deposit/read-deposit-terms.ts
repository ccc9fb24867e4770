import { poolAbi, precommitmentsAbi } from '../../../chain/contracts/privacy-pools.ts'
import { serverBusy } from '../../../errors.ts'
import { findAccountPool, type AccountPool } from '../../../pool/state/find-account-pool.ts'
import { poolStateRefreshing } from '../../../pool/errors.ts'
import type { KindContext } from '../quote-kind.ts'
import { refuseUsed } from './check-precommitments.ts'
import { poolDead } from './errors.ts'
import type { Precommitment } from './pool-deposit-request.ts'
import type { Address } from 'viem'

/**
 * The pool of a token that takes deposits now.
 * @throws ServiceError `bad-request` POOL_NOT_FOUND, CHAIN_NOT_SUPPORTED, POOL_DEAD; `unavailable` POOL_STATE_REFRESHING.
 */
export async function findDepositPool(context: KindContext, token: Address): Promise<AccountPool> {
  const { pools, accountId, sending } = context
  const found = await findAccountPool(pools, accountId, { chainId: sending.chainId, token })
  if (!found.pools.isFresh())
    throw poolStateRefreshing(`The pools of chain ${sending.chainId} are being read; try again in a moment`)
  // All of a deposit would be kept.
  if (found.pool.vettingFeeBps >= 10_000n) throw poolDead()
  return found
}

/**
 * Asks the chain whether the pool takes deposits and the Entrypoint these precommitments: one round trip. The indexer knows
 * of both a little later.
 * @throws ServiceError `bad-request` POOL_DEAD, PRECOMMITMENT_ALREADY_USED; `unavailable` when the chain does not answer.
 */
export async function demandTaken(
  { chain, pool }: AccountPool,
  precommitments: readonly Precommitment[],
): Promise<void> {
  const { client, config } = chain
  const asked = Promise.all([
    client.readContract({ address: pool.address, abi: poolAbi, functionName: 'dead' }),
    ...precommitments.map(({ precommitment }) =>
      client.readContract({
        address: config.relayer.entrypoint,
        abi: precommitmentsAbi,
        functionName: 'usedPrecommitments',
        args: [precommitment],
      }),
    ),
  ])
  const [isDead, ...used] = await asked.catch((cause: unknown) => {
    throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
  })
  if (isDead) throw poolDead()
  const found = precommitments[used.indexOf(true)]
  if (found) throw refuseUsed(found.depositIndex)
}
