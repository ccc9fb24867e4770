import { randomBytes } from 'node:crypto'
import { toHex, type Hex } from 'viem'
import { startNodeDoor, type NodeDoor } from '../../relayer/chain/broadcast/start-node-door.ts'
import { ALL_FAULTS, startLyingDoor, type LyingDoor } from '../../relayer/chain/indexer/start-lying-door.ts'
import { askNode } from '../../harness/ask-node.ts'
import { startBatchLimitDoor } from '../../harness/start-batch-limit-door.ts'

/** A node behind doors: its answers follow its mood. */
export interface BadNode {
  url: string
  /** The moods that it has had, and how often. */
  readonly moods: ReadonlyMap<string, number>
  /** Takes the next mood. */
  change(): Promise<void>
  /** From now on it is honest; abilities that it never had it still lacks. */
  behave(): void
  close(): Promise<void>
}

interface Doors {
  node: string
  door: NodeDoor
  lying: LyingDoor
}

const TRACES = ['trace_block', 'trace_transaction', 'debug_traceBlockByHash', 'debug_traceTransaction']
const RECEIPTS = ['eth_getTransactionReceipt', 'eth_getBlockReceipts']
const BLOCKS = ['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_blockNumber']
const SEND = 'eth_sendRawTransaction'
const AHEAD = 500n

type Block = { number: Hex; hash: Hex } | null

const MOODS: Record<string, (doors: Doors) => unknown> = {
  honest: () => {},
  'a head far ahead': ({ door }) => {
    const raise = (number: Hex) => toHex(BigInt(number) + AHEAD)
    door.alter('eth_getBlockByNumber', (answer, [tag]) =>
      answer && tag === 'latest'
        ? { ...answer, number: raise((answer as { number: Hex }).number), hash: toHex(randomBytes(32)) }
        : answer,
    )
    door.alter('eth_blockNumber', (answer) => raise(answer as Hex))
  },
  'stands still': async ({ door, node }) => {
    const newest = await askNode<Block>(node, 'eth_getBlockByNumber', 'latest', false)
    const isLater = (block: Block) => block !== null && BigInt(block.number) > BigInt(newest?.number ?? 0)
    door.alter('eth_getBlockByNumber', (answer, [tag]) =>
      tag === 'latest' ? newest : isLater(answer as Block) ? null : answer,
    )
    door.alter('eth_getBlockByHash', (answer) => (isLater(answer as Block) ? null : answer))
    door.alter('eth_blockNumber', () => newest?.number)
  },
  'no receipts': ({ door }) => {
    for (const method of RECEIPTS) door.alter(method, () => null)
  },
  'no traces': ({ door }) => {
    for (const method of TRACES) door.alter(method, () => null)
  },
  'loses the answers to sends': ({ door }) =>
    door.alter(SEND, () => ({ code: -32_603, message: 'internal error' })),
  'takes no transactions': ({ door }) => door.refuse(SEND, { code: -32_000, message: 'txpool is full' }),
  'lies now and then': ({ lying }) => lying.set({ share: 0.3, kinds: ALL_FAULTS }),
  'says nothing': ({ lying }) => lying.set({ share: 1, kinds: ['silence'] }),
}
const NAMES = Object.keys(MOODS)

/**
 * Starts a node that lies.
 * @param lacks Whether it has no traces at all, and takes at most twenty calls a batch.
 */
export async function startBadNode(
  node: string,
  { seed, lacks }: { seed: number; lacks: boolean },
): Promise<BadNode> {
  const lying = await startLyingDoor(node, seed, lacks ? /^(?:debug|trace)_/ : null)
  const door = await startNodeDoor(lying.url)
  const limit = lacks ? await startBatchLimitDoor(door.url, 20) : null
  const moods = new Map<string, number>()
  let turn = seed
  function behave(): void {
    lying.set({ share: 0, kinds: [] })
    for (const method of [...TRACES, ...RECEIPTS, ...BLOCKS, SEND]) door.alter(method)
    door.refuse(SEND)
  }
  return {
    url: limit?.url ?? door.url,
    moods,
    behave,
    async change() {
      behave()
      const name = NAMES[turn++ % NAMES.length]!
      moods.set(name, (moods.get(name) ?? 0) + 1)
      await MOODS[name]!({ node, door, lying })
    },
    async close() {
      await limit?.close()
      await door.close()
      await lying.close()
    },
  }
}
