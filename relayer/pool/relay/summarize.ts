import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import { sumLedger } from '../../../db/pool/relay/relay-ledger.ts'
import { countRequests, listNewestRequests } from '../../../db/pool/relay/relay-requests.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import type { AssetConfig } from '../../chain/nodes/config.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'
import type { RefusalCode } from './refusals.ts'
import type { RelayerChain, RelayerChains } from './relayer-chain.ts'
import type { WithdrawalsOverview } from './withdrawals.ts'

const LAST_RELAYS = 12

/** What the overview of the relayer is read from. */
export interface SummaryParts {
  database: DatabasePool
  chains: RelayerChains
  broadcast: BroadcastEngine
  proving: ProvingPool
  gasBudget: GasBudget
  refusals: ReadonlyMap<RefusalCode, number>
}

async function summarizeChain(
  { chain, pools, gasPrices }: RelayerChain,
  { broadcast, gasBudget }: SummaryParts,
) {
  const head = chain.head()
  return {
    chainId: chain.config.chainId,
    name: chain.config.name,
    nativeSymbol: chain.config.nativeSymbol,
    head: head?.number ?? null,
    headAgeMs: head ? Date.now() - head.seenAt : null,
    gasPrice: gasPrices.gasPrice(),
    pools: chain.config.assets.flatMap(({ asset, symbol, decimals }) => {
      const pool = pools.byAsset(asset)
      return pool ? [{ asset, symbol, decimals, pool: pool.address, ready: pools.isFresh() }] : []
    }),
    unpaidGas: gasBudget.view(chain.config.chainId),
    pendingTransactions: await broadcast.pending(chain.config.chainId),
    signers: broadcast.signers().filter(({ chainId }) => chainId === chain.config.chainId),
  }
}

/** Reads the figures of {@link WithdrawalsOverview}. */
export async function summarizeWithdrawals(parts: SummaryParts): Promise<WithdrawalsOverview> {
  const { database, chains, proving, refusals } = parts
  const assets = new Map<string, AssetConfig>(
    [...chains.values()].flatMap(({ chain: { config } }) =>
      config.assets.map((asset) => [`${config.chainId} ${asset.asset}`, asset] as const),
    ),
  )
  const describe = (chainId: number, asset: string) => {
    const known = assets.get(`${chainId} ${asset}`)
    return { symbol: known?.symbol ?? '?', decimals: known?.decimals ?? 0 }
  }
  const [chainSummaries, requests, ledger, newest] = await Promise.all([
    Promise.all([...chains.values()].map((chain) => summarizeChain(chain, parts))),
    countRequests(database),
    sumLedger(database),
    listNewestRequests(database, LAST_RELAYS),
  ])
  const stats = proving.stats()
  return {
    chains: chainSummaries,
    requests,
    refusals: Object.fromEntries(refusals),
    proving: {
      workers: stats.workers,
      queued: stats.queued,
      running: stats.running,
      verified: stats.tasks.verify.done,
      batches: stats.batches.count,
    },
    ledger: ledger.map((sum) => ({
      ...sum,
      ...describe(sum.chainId, sum.asset),
      asset: sum.asset as `0x${string}`,
    })),
    lastRelays: newest.map((row) => ({
      requestId: row.id,
      chainId: row.chainId,
      ...describe(row.chainId, row.asset),
      withdrawn: row.withdrawn,
      txHash: row.txHash as Hash | null,
      status: row.status,
      updatedAt: row.updatedAt.getTime(),
    })),
  }
}
