import type { Logger } from 'pino'
import {
  createPublicClient,
  defineChain,
  fallback,
  RpcRequestError,
  BaseError,
  type PublicClient,
  type PublicClientConfig,
} from 'viem'
import type { Chain, Head } from './chain.ts'
import type { ChainConfig } from './config.ts'
import { createDataFees } from './data-fees.ts'
import { createBlockForecast } from './foresee-block.ts'
import { openNode } from './open-node.ts'

/** Codes by which a node says "not me, not now" rather than answering: limit exceeded and method not supported. */
const ASK_ANOTHER_NODE = new Set([-32005, -32601])

/** True when a node understood the call and refused it: another node would say the same, so failing over would only hide it. */
function isNodesAnswer(error: Error): boolean {
  if (!(error instanceof BaseError)) return false
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  return answer instanceof RpcRequestError && !ASK_ANOTHER_NODE.has(answer.code)
}

/**
 * A client of a chain's nodes. Each client has batches of its own, so that its requests do not wait for those of
 * others.
 */
export function createClient(
  config: ChainConfig,
  options: Pick<PublicClientConfig, 'batch'> = {},
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
    // A contract that reverts with OffchainLookup would choose a URL for us to ask. Only name resolution follows it,
    // through a fetch that refuses private addresses.
    ccipRead: false,
    transport: fallback(
      config.rpcUrls.map((url) => openNode(url, undefined, config.rpcUrls.length > 1)),
      {
        retryCount: 1,
        retryDelay: 100,
        shouldThrow: isNodesAnswer,
      },
    ),
  })
}

/**
 * Calldata of the reads that one `eth_call` takes: some sixty. They are sent as the creation of a contract, which may have 48 KiB
 * (EIP-3860).
 */
const MAX_READ_BYTES = 2_048

type Listener = (head: Head) => void | Promise<void>

/** A {@link Chain} that can be started and stopped. */
export interface OpenChain<Config extends ChainConfig = ChainConfig> extends Chain<Config> {
  /** Reads the first head (an unreachable node is logged and tried again, not an error) and follows the chain. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Opens a configured chain: one client with failover and one loop that follows its head. */
export function openChain<Config extends ChainConfig>(config: Config, logger: Logger): OpenChain<Config> {
  const client = createClient(config)
  const contracts = createClient(config, {
    batch: { multicall: { deployless: true, batchSize: MAX_READ_BYTES } },
  })
  const forecast = createBlockForecast(client)
  const log = logger.child({ chainId: config.chainId })
  const dataFees = config.l1Fee === 'op-stack' ? createDataFees(contracts) : null
  let tip: bigint | null = null
  const readTip = async () => void (tip = await client.estimateMaxPriorityFeePerGas())
  const listeners = new Set<Listener>([
    ...(dataFees ? [() => dataFees.refresh()] : []),
    ...(config.relayer ? [readTip] : []),
  ])
  /**
   * Listeners that failed are called again at the next poll, because a quiet chain may have no further head.
   */
  const owed = new Set<Listener>()
  let newest: Head | null = null
  let reading: Promise<Head> | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failures = 0

  async function tell(listener: Listener, head: Head): Promise<void> {
    try {
      await listener(head)
      owed.delete(listener)
    } catch (error) {
      if (!owed.has(listener))
        log.warn({ err: error, block: head.number }, 'a listener of the chain head failed; it is told again')
      if (listeners.has(listener)) owed.add(listener)
    }
  }

  async function read(): Promise<Head> {
    const block = await client.getBlock({ blockTag: 'latest' })
    const head: Head = {
      number: block.number,
      hash: block.hash,
      parentHash: block.parentHash,
      timestamp: block.timestamp,
      baseFeePerGas: block.baseFeePerGas ?? 0n,
      gasLimit: block.gasLimit,
      seenAt: Date.now(),
    }
    const moved = newest?.hash !== head.hash
    newest = head
    // All in one tick, so that their requests share one batch.
    await Promise.all([
      ...(moved ? [forecast.note(block)] : []),
      ...[...(moved ? listeners : owed)].map((listener) => tell(listener, head)),
    ])
    return head
  }

  function refresh(): Promise<Head> {
    reading ??= read().finally(() => (reading = null))
    return reading
  }

  async function follow(): Promise<void> {
    try {
      await refresh()
      if (failures > 0) log.info('the chain answers again')
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1 || failures % 60 === 0)
        log.warn({ err: error, failures }, 'no RPC of the chain answers')
    }
    if (!stopped) timer = setTimeout(() => void follow(), config.pollIntervalMs)
  }

  return {
    config,
    client,
    contracts,
    head: () => newest,
    tip: () => tip,
    refreshTip: readTip,
    nextBlock: () => forecast.next(Date.now()),
    dataFee: (bytes) => (dataFees ? dataFees.feeOf(bytes) : 0n),
    onHead(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        owed.delete(listener)
      }
    },
    refresh,
    start: follow,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await reading?.catch(() => undefined)
      listeners.clear()
      owed.clear()
    },
  }
}
