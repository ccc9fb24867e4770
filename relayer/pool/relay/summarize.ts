import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import { sumLedger } from '../../../db/pool/relay/relay-ledger.ts'
import { countRequests, listNewestRequests } from '../../../db/pool/relay/relay-requests.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { rememberLast } from '../../concurrency/remember-last.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import { listCapabilities } from '../../chain/nodes/capabilities.ts'
import type { Chain, Chains } from '../../chain/nodes/chain.ts'
import { blockAgeMs } from '../../chain/nodes/find-head-problem.ts'
import type { AssetConfig } from '../../chain/nodes/relayer-config.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'
import type { RelayerChain, RelayerChains } from './relayer-chain.ts'
import type { WithdrawalsOverview } from './withdrawals.ts'

const LAST_RELAYS = 12

/** Sources of the relayer's overview. */
export interface SummaryParts {
  database: DatabasePool
  /** Every supported chain, with or without relays. */
  served: Chains
  chains: RelayerChains
  broadcast: BroadcastEngine
  proving: ProvingPool
  gasBudget: GasBudget
  refusals: ReadonlyMap<string, number>
}

function summarizeChain(
  chain: Chain,
  parts: SummaryParts,
  pending: ReadonlyMap<number, number>,
): WithdrawalsOverview['chains'][number] {
  const head = chain.head()
  const relayerChain = parts.chains.get(chain.config.chainId)
  return {
    chainId: chain.config.chainId,
    name: chain.config.name,
    capabilities: listCapabilities(chain.config),
    nativeSymbol: chain.config.nativeSymbol,
    head: head?.number ?? null,
    headAgeMs: head && blockAgeMs(head, Date.now()),
    headReadAgeMs: head && Date.now() - head.seenAt,
    nodes: chain.nodes.statuses(),
    baseFee: head?.baseFeePerGas ?? null,
    maxGasPrice: chain.config.relayer?.maxGasPrice ?? null,
    ...(relayerChain ? summarizeRelayer(relayerChain, parts, pending) : NO_RELAYER),
  }
}

const NO_RELAYER = { gasPrice: null, pools: [], unpaidGas: null, pendingTransactions: 0, signers: [] }

function summarizeRelayer(
  { chain, pools, gasPrices }: RelayerChain,
  { broadcast, gasBudget }: SummaryParts,
  pending: ReadonlyMap<number, number>,
) {
  return {
    gasPrice: gasPrices.gasPrice(),
    pools: chain.config.relayer.assets.flatMap(({ asset, symbol, decimals }) => {
      const pool = pools.byAsset(asset)
      return pool ? [{ asset, symbol, decimals, pool: pool.address, ready: pools.isFresh() }] : []
    }),
    unpaidGas: gasBudget.view(chain.config.chainId),
    pendingTransactions: pending.get(chain.config.chainId) ?? 0,
    signers: broadcast.signers().filter(({ chainId }) => chainId === chain.config.chainId),
  }
}

/** Figures of the database. */
interface Booked {
  pending: ReadonlyMap<number, number>
  requests: WithdrawalsOverview['requests']
  ledger: Awaited<ReturnType<typeof sumLedger>>
  newest: Awaited<ReturnType<typeof listNewestRequests>>
}

const NOTHING_BOOKED: Booked = {
  pending: new Map(),
  requests: { broadcast: 0, confirmed: 0, failed: 0 },
  ledger: [],
  newest: [],
}

/**
 * Creates the reader of {@link WithdrawalsOverview}. While the database is away it shows the last figures of the database, and
 * all else as it is.
 */
export function createSummary(parts: SummaryParts): () => Promise<WithdrawalsOverview> {
  const readBooked = rememberLast(() => readFromDatabase(parts), NOTHING_BOOKED)
  return async () => summarize(parts, await readBooked())
}

async function readFromDatabase({ database, chains, broadcast }: SummaryParts): Promise<Booked> {
  const [pending, requests, ledger, newest] = await Promise.all([
    Promise.all(
      [...chains.keys()].map(async (chainId) => [chainId, await broadcast.pending(chainId)] as const),
    ),
    countRequests(database),
    sumLedger(database),
    listNewestRequests(database, LAST_RELAYS),
  ])
  return { pending: new Map(pending), requests, ledger, newest }
}

function summarize(parts: SummaryParts, { pending, requests, ledger, newest }: Booked): WithdrawalsOverview {
  const { served, chains, proving, refusals } = parts
  const assets = new Map<string, AssetConfig>(
    [...chains.values()].flatMap(({ chain: { config } }) =>
      config.relayer.assets.map((asset) => [`${config.chainId} ${asset.asset}`, asset] as const),
    ),
  )
  const describe = (chainId: number, asset: string) => {
    const known = assets.get(`${chainId} ${asset}`)
    return { symbol: known?.symbol ?? '?', decimals: known?.decimals ?? 0 }
  }
  const stats = proving.stats()
  return {
    chains: [...served.values()].map((chain) => summarizeChain(chain, parts, pending)),
    requests,
    refusals: Object.fromEntries(refusals),
    proving: {
      workers: stats.workers,
      queued: stats.queued,
      running: stats.running,
      verified: stats.tasks.verify.done,
      batches: stats.batches.count,
    },
    crossChecks: stats.crossChecks,
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
