import type { Logger } from 'pino'
import { createPublicClient, defineChain, type PublicClient, type PublicClientConfig } from 'viem'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { askInTurn } from './ask-in-turn.ts'
import type { Chain, HeadReading } from './chain.ts'
import type { ChainConfig } from './config.ts'
import { createExtraFees } from './extra-fees.ts'
import { NO_EXTRA_FEES } from './sending-price.ts'
import { followHead } from './follow-head.ts'
import { createBlockForecast } from './foresee-block.ts'
import { createNodeRing, type NodeRing } from './node-ring.ts'
import { createHeadReader } from './read-head.ts'
import { createPace } from './pace.ts'
import { shareLooks } from './share-looks.ts'

/**
 * A client of a chain's nodes. Each client has batches of its own, so that its requests do not wait for those of others. The
 * clients of one chain share a ring, so the same node is asked first.
 */
export function createClient(
  config: ChainConfig,
  options: Pick<PublicClientConfig, 'batch'> = {},
  ring: NodeRing = createNodeRing(config.rpcUrls, config.chainId),
): PublicClient {
  const chain = defineChain({
    id: config.chainId,
    name: config.name,
    nativeCurrency: { name: config.nativeSymbol, symbol: config.nativeSymbol, decimals: 18 },
    rpcUrls: { default: { http: config.rpcUrls } },
  })
  return createPublicClient({
    ...options,
    chain,
    cacheTime: 0,
    // A contract that reverts with OffchainLookup would choose a URL for us to ask. Only name resolution follows it, through
    // a fetch that refuses private addresses.
    ccipRead: false,
    transport: askInTurn(ring),
  })
}

/**
 * Calldata bytes of the reads in one `eth_call`: some sixty reads. They are sent as the creation of a contract, which may
 * have 48 KiB (EIP-3860).
 */
const MAX_READ_BYTES = 2_048

/** A {@link Chain} that can be started and stopped. */
export interface OpenChain<Config extends ChainConfig = ChainConfig> extends Chain<Config> {
  /** Reads the first head and follows the chain; an unreachable node is no error, but logged and tried again. */
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Opens a configured chain: one client with failover and one loop that follows its head.
 * @param sharedState Through it instances share their reads of heads; without it each reads for itself.
 */
export function openChain<Config extends ChainConfig>(
  config: Config,
  logger: Logger,
  sharedState: SharedState | null = null,
): OpenChain<Config> {
  const log = logger.child({ chainId: config.chainId })
  const ring = createNodeRing(config.rpcUrls, config.chainId, log)
  const client = createClient(config, {}, ring)
  const contracts = createClient(
    config,
    { batch: { multicall: { deployless: true, batchSize: MAX_READ_BYTES } } },
    ring,
  )
  const pace = createPace(config)
  const heads = createHeadReader(ring, client, config.pollIntervalMs, pace)
  const forecast = createBlockForecast(client)
  const tip = createTips(client, config.pollIntervalMs, config.relayer?.minTip ?? 0n)
  const extraFees = config.l1Fee === 'op-stack' ? createExtraFees(contracts) : null
  const follower = followHead({
    log,
    pollIntervalMs: config.pollIntervalMs,
    looks: shareLooks(sharedState, config),
    read: heads.read,
    note(block) {
      pace.note(block)
      forecast.note(block)
    },
  })
  follower.onHeadRead(forecast.fees)
  if (extraFees) follower.onHeadRead(extraFees.reading)
  if (config.relayer) follower.onHeadRead(tip.reading)

  return {
    config,
    client,
    contracts,
    nodes: ring,
    head: () => follower.head(),
    usualBlockMs: pace.usualMs,
    clockAheadMs: pace.clockAheadMs,
    tip: tip.tip,
    refreshTip: tip.refresh,
    raiseTip: tip.raise,
    nextBlock: () => forecast.next(Date.now()),
    extraFees: () => (extraFees ? extraFees.known() : NO_EXTRA_FEES),
    onHead: (listener) => follower.onHead(listener),
    onHeadRead: (reading) => follower.onHeadRead(reading),
    refresh: () => follower.refresh(),
    isLooking: () => follower.isLooking(),
    start: () => follower.start(),
    stop: () => follower.stop(),
  }
}

/** Milliseconds after which the least accepted tip may have fallen. */
const RAISED_MS = 600_000

/** The tip that a chain's nodes suggest, at least the one that they accept. */
interface Tips {
  /** Wei per gas; null before the first answer. */
  tip(): bigint | null
  /** Records that nodes refused a lower tip than this; for ten minutes the tip is no lower. */
  raise(tip: bigint): void
  /** Reads it unless it was read within the last poll interval. */
  refresh(): Promise<void>
  reading: HeadReading
}

/**
 * Follows the tip that the nodes of a chain suggest; concurrent callers share a question.
 * @param minTip The operator's minimum, in wei per gas: nodes of some chains suggest less than they accept.
 */
function createTips(client: PublicClient, pollIntervalMs: number, minTip: bigint): Tips {
  let known: { tip: bigint; at: number } | null = null
  let raised = { tip: 0n, at: -Infinity }
  let reading: Promise<void> | null = null

  async function ask(): Promise<void> {
    known = { tip: await client.estimateMaxPriorityFeePerGas(), at: Date.now() }
  }
  function tip(): bigint | null {
    if (!known) return null
    const least = performance.now() - raised.at < RAISED_MS && raised.tip > minTip ? raised.tip : minTip
    return known.tip > least ? known.tip : least
  }
  const read = () => (reading ??= ask().finally(() => (reading = null)))

  return {
    tip,
    raise: (least) => void (raised = { tip: least, at: performance.now() }),
    refresh: async () => {
      if (reading || !known || Date.now() - known.at >= pollIntervalMs) await read()
    },
    reading: {
      name: 'tip',
      read,
      write: () => known && String(tip()),
      take(told) {
        if (!/^\d+$/.test(told)) return false
        known = { tip: BigInt(told), at: Date.now() }
        return true
      },
    },
  }
}
