import type { Logger } from 'pino'
import { createPublicClient, defineChain, type PublicClient, type PublicClientConfig } from 'viem'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { askInTurn } from './ask-in-turn.ts'
import type { Chain } from './chain.ts'
import type { ChainConfig } from './config.ts'
import { createExtraFees } from './extra-fees.ts'
import { NO_EXTRA_FEES } from './sending-price.ts'
import { followHead } from './follow-head.ts'
import { createBlockForecast } from './foresee-block.ts'
import { createNodeRing, type NodeRing } from './node-ring.ts'
import { createHeadReader } from './read-head.ts'
import { createPace } from './pace.ts'
import { shareLooks } from './share-looks.ts'
import { createTips } from './tips.ts'

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
  sharedState: Pick<SharedState, 'publish' | 'subscribe'> | null = null,
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
  const heads = createHeadReader({ ring, client, pollIntervalMs: config.pollIntervalMs, pace })
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
