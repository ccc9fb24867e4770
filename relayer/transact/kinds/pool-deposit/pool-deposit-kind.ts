import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { poolNotFound, poolStateRefreshing } from '../../../pool/errors.ts'
import { quoteRefreshRequired, refuseSilence } from '../../errors.ts'
import { amountOf } from '../amount-request.ts'
import { hasArrived } from '../check-parties.ts'
import { fundersOf } from '../quote-plan.ts'
import { usualKind, type QuoteKind, type KindContext } from '../quote-kind.ts'
import { makesDeposit, findPoolDeposit } from './deposit-calls.ts'
import { checkForm, checkFree, readFreeIndices, refuseUsed } from './check-precommitments.ts'
import { noteValueOf } from './deposit-amounts.ts'
import { poolDead } from './errors.ts'
import { depositDetails, planPoolDeposit, spendByDepositing } from './plan-pool-deposit.ts'
import type { MaxPoolDepositRequest, PoolDepositRequest, Precommitment } from './pool-deposit-request.ts'
import type { CommonQueryMethods } from 'slonik'
import { listUsedPrecommitments } from '../../../../db/pool/notes/pool-conversions.ts'
import type { RelayingChain } from '../../../chain/nodes/chain.ts'
import { poolAbi, precommitmentsAbi } from '../../../chain/contracts/privacy-pools.ts'
import { findAccountPool, type AccountPool } from '../../../pool/state/find-account-pool.ts'
import type { Address } from 'viem'

/**
 * Deposits of visible funds into a pool. One address deposits unless the client names several, or deposits everything.
 */
export const poolDepositKind: QuoteKind<PoolDepositRequest, MaxPoolDepositRequest> = {
  ...usualKind,
  transport: 'own',
  price: 'deposit',
  async plan(context, request) {
    const { precommitments = [], decimals } = request
    const net = amountOf(request)
    checkForm(precommitments)
    const found = await findDepositPool(context, tokenIdOf(request.chainId, request.token).address)
    const taken = demandTaken(context.database, found, precommitments)
    // Not awaited yet: the check against the database comes first, because its error names the index.
    taken.catch(() => undefined)
    const free = await checkFree(context.database, context.accountId, found.pool, precommitments)
    await taken
    return planPoolDeposit(context, {
      found,
      net,
      precommitments,
      nextIndex: free.next,
      funders: fundersOf(request),
      mayJoin: net === 'max' || request.spendableAddresses !== undefined,
      decimals,
    })
  },
  async planAgain(context, before) {
    const { net, mayJoin, ...kept } = depositDetails.parse(before.details)
    const precommitments = kept.precommitments.map((one) => ({
      ...one,
      precommitment: BigInt(one.precommitment),
    }))
    const found = await findDepositPool(context, before.token)
    if (found.pool.address !== before.recipient.address)
      throw poolNotFound('The pool of this quote is not served any more')
    const [free] = await Promise.all([
      readFreeIndices(context.database, context.accountId, found.pool),
      demandTaken(context.database, found, precommitments),
    ])
    return planPoolDeposit(context, {
      found,
      net: net === null ? 'max' : BigInt(net),
      precommitments,
      nextIndex: free.next,
      funders: {},
      mayJoin,
    })
  },
  async planMax(context, { chainId, token, spendableAddresses }) {
    const found = await findDepositPool(context, tokenIdOf(chainId, token).address)
    await demandTaken(context.database, found, [])
    return spendByDepositing(context, {
      found,
      precommitments: [],
      nextIndex: 0,
      funders: { spendableAddresses },
      mayJoin: spendableAddresses !== undefined,
    })
  },
  checkSubmission(run, { calls, token, recipient, details }, parts) {
    const vettingFeeBps = BigInt(depositDetails.parse(details).vettingFeeBps)
    for (const { address, place } of parts) {
      const signed = findPoolDeposit(calls[place] ?? [])
      if (!signed) throw new Error('a stored deposit has no call')
      const net = noteValueOf(signed.gross, vettingFeeBps)
      if (
        !makesDeposit(run, {
          pool: recipient,
          depositor: address,
          precommitment: signed.precommitment,
          net,
        }) ||
        !hasArrived(run, token, [{ recipient, amount: net }])
      )
        throw quoteRefreshRequired('The terms of the pool have changed: refresh the quote')
    }
  },
  // A copy of our precommitment in the mempool may be deposited first; then ours fails at our cost.
  othersCanFail: () => true,
  // The Entrypoint registered the pool.
  vouchesFor: ({ recipient }) => [recipient],
  explainFailure({ details, payers }, { failure, failed }) {
    switch (failure) {
      case 'PrecommitmentAlreadyUsed': {
        const place = failed === null ? 0 : payers.indexOf(failed)
        return refuseUsed(depositDetails.parse(details).precommitments[place]?.depositIndex ?? 0)
      }
      case 'PoolIsDead':
        return poolDead()
      case 'PoolNotFound':
        return poolNotFound('The pool of this quote is not served any more')
      case 'MinimumDepositAmount':
        return quoteRefreshRequired('The terms of the pool have changed: refresh the quote')
      default:
        return null
    }
  },
  activity: () => ({ kind: 'POOL_DEPOSIT', isExchange: false }),
}

/**
 * Finds the pool of a token that accepts deposits now.
 * @throws ServiceError `bad-request` POOL_NOT_FOUND, CHAIN_NOT_SUPPORTED, POOL_DEAD; `unavailable`
 * POOL_STATE_REFRESHING.
 */
async function findDepositPool(context: KindContext, token: Address): Promise<AccountPool> {
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
async function demandTaken(
  database: CommonQueryMethods,
  { chain, pool }: AccountPool,
  precommitments: readonly Precommitment[],
): Promise<void> {
  const [only, ...more] = precommitments
  const asked = Promise.all([
    chain.client.readContract({ address: pool.address, abi: poolAbi, functionName: 'dead' }),
    only && more.length === 0 ? isUsed(chain, only) : false,
  ]).catch(refuseSilence)
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
