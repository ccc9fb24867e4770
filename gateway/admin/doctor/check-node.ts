import type { RpcRequest } from '../../../proving/rpc/json-rpc.ts'
import { postJson } from '../../../proving/rpc/post-json.ts'
import type { ChainConfig } from '../../../relayer/chain/nodes/config.ts'
import { createAsk, PATIENCE_MS, type AskNode } from './ask-chain.ts'
import { openChart, type ChartEntry } from './open-chart.ts'

/** Calls in a batch that the indexer and the broadcast engine send. */
const BATCH = 100
/** Blocks of the past whose logs are read at once. */
const LOG_BLOCKS = 1_000n

interface Head {
  number: bigint
  hash: string
  /** Milliseconds since the epoch. */
  madeAt: number
  /** True since Prague, which EIP-7702 is part of. */
  isPrague: boolean
}

/** Methods of which a node needs one, with the loss where it has none. */
interface MethodGroup {
  oneOf: readonly ((head: Head) => RpcRequest)[]
  lacking: string
  change: string
}

const GROUPS: readonly MethodGroup[] = [
  {
    oneOf: [
      ({ number }) => requestOf('trace_block', hex(number)),
      ({ hash }) => requestOf('debug_traceBlockByHash', hash, { tracer: 'callTracer' }),
    ],
    lacking: 'shows no traces: native coins that move inside calls are found by comparing balances',
    change: 'Enable the trace or debug namespace of the node.',
  },
  {
    oneOf: [
      () => requestOf('eth_simulateV1', { blockStateCalls: [{ calls: [] }] }, 'latest'),
      () =>
        requestOf('debug_traceCall', { to: '0x0000000000000000000000000000000000000001' }, 'latest', {
          tracer: 'callTracer',
        }),
    ],
    lacking: 'cannot simulate a call with its logs: the service does it, for 17 to 25 ms of CPU each',
    change: 'Use a node with eth_simulateV1.',
  },
  {
    oneOf: [({ number }) => requestOf('eth_getBlockReceipts', hex(number))],
    lacking: 'shows receipts one by one: indexing makes more requests',
    change: 'Use a node with eth_getBlockReceipts.',
  },
  {
    oneOf: [() => requestOf('eth_feeHistory', '0x1', 'latest', [50])],
    lacking: 'has no eth_feeHistory: gas is priced by the newest block alone',
    change: 'Use a node with eth_feeHistory.',
  },
  {
    oneOf: [
      ({ number }) =>
        requestOf('eth_getLogs', {
          fromBlock: hex(number > LOG_BLOCKS ? number - LOG_BLOCKS : 0n),
          toBlock: hex(number),
          topics: [NO_TOPIC],
        }),
    ],
    lacking: `refuses logs of ${LOG_BLOCKS} blocks at once: the past is read in smaller steps`,
    change: 'Raise the limit of the node or of its provider.',
  },
]

const NO_TOPIC = `0x${'0'.repeat(63)}1`
const hex = (number: bigint) => `0x${number.toString(16)}`
const requestOf = (method: string, ...params: readonly unknown[]): RpcRequest => ({ method, params })

/**
 * Examines one node of a chain: its chain id, its head, and the methods and limits that the service uses. It names no account's
 * address.
 */
export async function checkNode(config: ChainConfig, url: string, now = Date.now()): Promise<ChartEntry[]> {
  const { chainId, name, rpcUrls } = config
  const chart = openChart(`chain ${chainId} ${name}, node ${new URL(url).host}`)
  const ask = createAsk(url)
  const head = await readHead(ask).catch(() => null)
  if (!head) {
    chart.error('does not answer', 'Start it, or correct its address in `rpcUrls`.')
    return chart.entries
  }
  if (head.chainId !== null && head.chainId !== chainId) {
    chart.error(`serves chain ${head.chainId}`, `Put a node of chain ${chainId} into \`rpcUrls\`.`)
    return chart.entries
  }
  const age = Math.round((now - head.madeAt) / 1_000)
  if (config.blocksOnDemand || age * 1_000 <= config.staleAfterMs)
    chart.ok(`is at block ${head.number}, ${age} s old`)
  else chart.error(`is at block ${head.number}, ${age} s old`, 'Let it catch up, or replace it.')
  if (config.sending && !head.isPrague)
    chart.error(
      'shows blocks from before Prague, where accounts cannot send (EIP-7702)',
      'Remove `sending` until the fork.',
    )
  for (const { oneOf, lacking, change } of GROUPS)
    if (!(await hasOneOf(ask, oneOf, head))) chart.warn(lacking, change)
  await checkBatch(url).then(
    (isTaken) => {
      if (!isTaken)
        chart.warn(
          `takes fewer than ${BATCH} calls in a batch: the service splits them`,
          'Raise its limit of batches.',
        )
    },
    () => chart.warn(`did not answer a batch of ${BATCH} calls`, 'Raise its limit of batches.'),
  )
  if (rpcUrls.length === 1)
    chart.warn(
      'is the only node: nobody contradicts it, and the chain stands still without it',
      'Add one of another operator.',
    )
  return chart.entries
}

async function readHead(ask: AskNode): Promise<Head & { chainId: number | null }> {
  const [id, block] = await ask([
    requestOf('eth_chainId'),
    requestOf('eth_getBlockByNumber', 'latest', false),
  ])
  if (!block) throw new Error('no block')
  const { number, hash, timestamp, ...more } = block as Record<string, string>
  return {
    chainId: typeof id === 'string' ? Number(id) : null,
    number: BigInt(number ?? 0),
    hash: hash ?? '',
    madeAt: Number(timestamp) * 1_000,
    isPrague: typeof more['requestsHash'] === 'string',
  }
}

async function hasOneOf(ask: AskNode, oneOf: MethodGroup['oneOf'], head: Head): Promise<boolean> {
  for (const request of oneOf) {
    const [answer = null] = await ask([request(head)]).catch(() => [])
    if (answer !== null) return true
  }
  return false
}

/** Sends one batch as it is, without the splitting that the service would do. */
async function checkBatch(url: string): Promise<boolean> {
  const calls = Array.from({ length: BATCH }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    ...requestOf('eth_chainId'),
  }))
  const { text } = await postJson({
    url,
    body: JSON.stringify(calls),
    signal: AbortSignal.timeout(PATIENCE_MS),
    maxBytes: 1_000_000,
    isRepeatable: true,
  })
  const answers: unknown = JSON.parse(text)
  return Array.isArray(answers) && answers.length === BATCH && answers.every((one: object) => 'result' in one)
}
