import type { CommonQueryMethods } from 'slonik'
import { listUsedPrecommitments } from '../../../../db/pool/notes/pool-conversions.ts'
import type { RelayingChain } from '../../../chain/nodes/chain.ts'
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
 * Finds the pool of a token that accepts deposits now.
 * @throws ServiceError `bad-request` POOL_NOT_FOUND, CHAIN_NOT_SUPPORTED, POOL_DEAD; `unavailable`
 * POOL_STATE_REFRESHING.
 */
export async function findDepositPool(context: KindContext, token: Address): Promise<AccountPool> {
  const { pools, accountId, sending } = context
  const found = await findAccountPool(pools, accountId, { chainId: sending.chainId, token })
  if (!found.pools.isFresh())
    throw poolStateRefreshing(`The pools of chain ${sending.chainId} are being read; try again in a moment`)
  // The vetting fee would take the whole deposit.
  if (found.pool.vettingFeeBps >= 10_000n) throw poolDead()
  return found
}

/**
 * Checks that the pool accepts deposits and that the Entrypoint accepts these precommitments. The chain is queried
 * about a single precommitment only: several would show a node which deposits belong together. Several are instead
 * searched among the indexed deposits; the run of each deposit finds later ones.
 * @throws ServiceError `bad-request` POOL_DEAD, PRECOMMITMENT_ALREADY_USED; `unavailable` when the chain does not
 * answer.
 */
export async function demandTaken(
  database: CommonQueryMethods,
  { chain, pool }: AccountPool,
  precommitments: readonly Precommitment[],
): Promise<void> {
  const [only, ...more] = precommitments
  const asked = Promise.all([
    chain.client.readContract({ address: pool.address, abi: poolAbi, functionName: 'dead' }),
    only && more.length === 0 ? isUsed(chain, only) : false,
  ]).catch((cause: unknown) => {
    throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
  })
  const indexed = listUsedPrecommitments(
    database,
    pool.chainId,
    precommitments.map(({ precommitment }) => precommitment),
  )
  const [[isDead, isOnlyUsed], used] = await Promise.all([asked, indexed])
  if (isDead) throw poolDead()
  const found = isOnlyUsed ? only : precommitments.find(({ precommitment }) => used.has(precommitment))
  if (found) throw refuseUsed(found.depositIndex)
}

const isUsed = ({ client, config }: RelayingChain, { precommitment }: Precommitment): Promise<boolean> =>
  client.readContract({
    address: config.relayer.entrypoint,
    abi: precommitmentsAbi,
    functionName: 'usedPrecommitments',
    args: [precommitment],
  })
