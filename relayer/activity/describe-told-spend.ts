import { getAddress, zeroAddress, type Hex } from 'viem'
import type { ChainConfig } from '../chain/nodes/config.ts'
import { explorerTxUrlBase } from '../chain/nodes/supported-chains.ts'
import type { SpentNote } from '../../db/pool/book/note-progress.ts'
import { explainSpend } from '../transact/pool-spending/spend-progress.ts'
import type { ActivityItem, TokenAmount } from './activity.ts'
import type { PendingItem, PendingLifecycle } from './pending.ts'
import { tokenOfTold, type ToldActivity } from './told-spends.ts'

type AmountOf = (chainId: number, token: string, value: bigint) => TokenAmount

/**
 * Describes a reported spend for its account. Arrived amount and relay fee come from the chain once a relay is mined,
 * and from the report before. The recipient is not stored: the zero address stands in its place.
 */
export function describeToldSpend(told: ToldActivity, chain: ChainConfig, amountOf: AmountOf): ActivityItem {
  const { spend, pool, execution, endedAt, ends } = told
  const token = tokenOfTold(told)
  const { receives, fee } = sumsOf(told)
  return {
    txHash: newestOf(ends)?.txHash ?? null,
    txHashes: [...new Set(ends.map(({ txHash }) => txHash))],
    quoteId: spend.id,
    chainId: pool.chainId,
    chainName: chain.name,
    explorerTxUrlBase: explorerTxUrlBase(chain),
    date: endedAt ?? new Date(spend.until),
    kind: spend.kind === 'incognito_send' ? 'INCOGNITO_SEND' : 'INCOGNITO_SELF_SEND',
    executionStatus: execution,
    isExternal: false,
    isLikelySpam: false,
    fees: fee > 0n ? [amountOf(pool.chainId, token, fee)] : [],
    platformFeeBps: 0,
    fundingAddresses: [],
    hasMoreTransfers: false,
    transfers: [
      {
        ...amountOf(pool.chainId, token, receives),
        from: getAddress(pool.address),
        to: zeroAddress,
        tokenId: null,
        ownEnd: 'note',
      },
    ],
    swap: null,
    bridge: null,
    offRamp: null,
    pool: null,
    app: null,
    calls: null,
  }
}

/** Describes it while it is pending, or shortly after. */
export function describePendingSpend(
  told: ToldActivity & { submittedAt: Date },
  chain: ChainConfig,
  amountOf: AmountOf,
): PendingItem {
  return {
    ...describeToldSpend(told, chain, amountOf),
    quoteId: told.spend.id,
    date: told.submittedAt,
    lifecycle: lifecycleOfTold(told),
  }
}

/**
 * Returns the lifecycle of a reported spend. A note spent otherwise than reported counts as failed: the account has
 * to check.
 */
export function lifecycleOfTold({ spend, execution, relayStatus, ends }: ToldActivity): PendingLifecycle {
  const state =
    execution === 'pending' ? 'in_flight' : execution === 'succeeded' ? 'indexed' : ('failed' as const)
  return {
    state,
    relayStatus,
    reason: explainSpend(execution, ends.length, spend.parts.length),
    blockNumber: state === 'indexed' ? (newestOf(ends)?.blockNumber ?? null) : null,
  }
}

/** Returns the hash of the withdrawal that was mined last; null before the first. */
export const newestHashOf = ({ ends }: ToldActivity): Hex | null => newestOf(ends)?.txHash ?? null

const newestOf = (ends: readonly SpentNote[]): SpentNote | undefined =>
  ends.toSorted((one, other) => Number(one.blockNumber - other.blockNumber)).at(-1)

function sumsOf({ spend, ends, execution }: ToldActivity): { receives: bigint; fee: bigint } {
  const isTold = ends.length === 0 || execution === 'pending' || ends.some(({ fee }) => fee === null)
  if (isTold) return spend
  const fee = ends.reduce((sum, end) => sum + (end.fee ?? 0n), 0n)
  return { receives: ends.reduce((sum, { withdrawn }) => sum + withdrawn, 0n) - fee, fee }
}
