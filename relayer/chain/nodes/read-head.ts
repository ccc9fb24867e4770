import { formatBlock, type Hash, type PublicClient, type RpcBlock } from 'viem'
import type { HeadBlock } from './head-news.ts'
import type { ChainNode, NodeRing, NodeStanding } from './node-ring.ts'
import type { Pace } from './pace.ts'

/** Reads of the leader alone between two comparisons of all nodes' heads. */
const LOOKS_ALONE = 10
/** Slower nodes are left out of a comparison. */
const COMPARE_WITHIN_MS = 2_000
/** A node may lag another one by this many polls, within the bounds below. */
const LAG_POLLS = 5
const LEAST_LAG_MS = 1_000
const MOST_LAG_MS = 10_000
/** A node that lags further is skipped at once. */
const FAR_BEHIND = 16n
/** Most seconds between the clocks of a chain and of this machine. */
const CLOCK_SKEW = 900
/** Depth below which two nodes on forks of one chain agree. */
const FORK_DEPTH = 16n
/** A head older than this many usual blocks, and than this time, causes a comparison of the nodes. */
const OLD_BLOCKS = 3
const OLD_MS = 10_000

/** One node's head. */
interface View {
  node: ChainNode
  block: HeadBlock
}

/** Reads the newest block that the nodes of a chain and the clock make credible. */
export interface HeadReader {
  /** @throws The leader's error when no node answers. */
  read(): Promise<HeadBlock>
}

type Ask = (node: ChainNode, method: string, params: readonly unknown[]) => Promise<unknown>

/**
 * Asks one node, the leader. It compares the heads of all every ten reads, while they differ, and when the head is old. The
 * highest proven head counts. Its node shows it, its parent and the next lower node's head below it, and its time is not
 * ahead of the clock. A node that lacks for long what another one showed is skipped.
 */
export function createHeadReader(
  ring: NodeRing,
  client: PublicClient,
  pollIntervalMs: number,
  pace: Pace,
): HeadReader {
  const lagMs = Math.min(MOST_LAG_MS, Math.max(LEAST_LAG_MS, LAG_POLLS * pollIntervalMs))
  const ask = askOf(ring, client)
  let looksAlone = Infinity
  let known: HeadBlock | null = null
  /** Credible heads and when they were first shown, oldest first. */
  let shown: { number: bigint; at: number }[] = []

  /** Records that a head was shown. If no node has one as high any more, the chain went back. */
  function record(number: bigint): void {
    shown = shown.filter((one) => one.number <= number)
    if (shown.at(-1)?.number !== number) shown.push({ number, at: Date.now() })
    // Of the heads that every node should have by now, only the newest is needed.
    shown.splice(0, shown.findLastIndex(isDue))
  }
  const isDue = ({ at }: { at: number }) => Date.now() - at >= lagMs

  const isOld = ({ timestamp }: HeadBlock) =>
    Date.now() - Number(timestamp) * 1_000 > OLD_MS + OLD_BLOCKS * (pace.usualMs() ?? 0)

  async function compare(): Promise<HeadBlock> {
    const views = await gatherViews(ring.nodes, ask)
    const credible = await findCredible(views, ask)
    const { number } = credible.block
    record(number)
    const due = shown.findLast(isDue)?.number ?? null
    const standings = ring.nodes.map((node) => judgeNode(node, views, { number, due }))
    const { node, block } = chooseView(ring, views, standings, known) ?? credible
    ring.rank(node, standings)
    const isSettled = views.every((view) => view.block.number <= block.number || view.block.number > number)
    looksAlone = isSettled ? 0 : Infinity
    known = block
    return block
  }

  return {
    async read() {
      if (ring.nodes.length === 1) return client.getBlock({ blockTag: 'latest' })
      if (looksAlone < LOOKS_ALONE && known !== null && !isOld(known)) {
        looksAlone += 1
        const block = await askHead(ring.leader(), ask).catch(() => null)
        if (block && !isOld(block)) {
          if (block.number > (shown.at(-1)?.number ?? 0n)) record(block.number)
          known = block
          return block
        }
      }
      return compare()
    },
  }
}

/** Asks a single node, by its transport among the client's. */
function askOf(ring: NodeRing, client: PublicClient): Ask {
  const { transports } = client.transport as unknown as {
    transports: readonly { request(call: { method: string; params: readonly unknown[] }): Promise<unknown> }[]
  }
  return (node, method, params) => transports[ring.nodes.indexOf(node)]!.request({ method, params })
}

/** Returns the view of the first node that is fit to lead. */
function chooseView(
  ring: NodeRing,
  views: readonly View[],
  standings: readonly NodeStanding[],
  known: HeadBlock | null,
): View | undefined {
  const isFit = ({ node, block }: View) =>
    standings.find((one) => one.node === node)?.problem === null &&
    // A new leader must not move the head back.
    (node === ring.leader() || known === null || block.number >= known.number)
  return ring.nodes.flatMap((node) => views.find((view) => view.node === node && isFit(view)) ?? [])[0]
}

/**
 * Judges a node by its head.
 * @param credible.due The newest head that every node should have by now; null if none.
 */
function judgeNode(
  node: ChainNode,
  views: readonly View[],
  { number, due }: { number: bigint; due: bigint | null },
): NodeStanding {
  const view = views.find((one) => one.node === node)
  if (!view) return { node, problem: 'silent', detail: 'does not answer', height: null, behind: 0 }
  const height = view.block.number
  const behind = Number(number - view.block.number)
  if (behind < 0)
    return { node, problem: 'unproven', detail: 'shows a head that cannot be', height, behind: 0 }
  const isBehind = number - view.block.number > FAR_BEHIND || (due !== null && view.block.number < due)
  return isBehind
    ? { node, problem: 'behind', detail: `is ${behind} blocks behind`, height, behind }
    : { node, problem: null, detail: null, height, behind }
}

async function askHead(node: ChainNode, ask: Ask): Promise<HeadBlock> {
  const block = await askBlock(node, ask, 'latest')
  if (!block) throw new Error('the node has no block')
  return block
}

async function askBlock(node: ChainNode, ask: Ask, at: Hash | bigint | 'latest'): Promise<HeadBlock | null> {
  const isHash = typeof at === 'string' && at !== 'latest'
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  const place = typeof at === 'bigint' ? `0x${at.toString(16)}` : at
  const raw = (await ask(node, method, [place, false])) as RpcBlock | null
  const block = raw && formatBlock(raw)
  return block?.hash && block.number !== null ? (block as HeadBlock) : null
}

/** Returns the heads of the nodes that answer in time; where all are slow, of the first that answers. */
async function gatherViews(nodes: readonly ChainNode[], ask: Ask): Promise<View[]> {
  const views: View[] = []
  const asked = nodes.map(async (node) => void views.push({ node, block: await askHead(node, ask) }))
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, COMPARE_WITHIN_MS)
  await Promise.race([Promise.allSettled(asked), late])
  clearTimeout(timer)
  if (views.length === 0)
    await Promise.any(asked).catch((error: unknown) => {
      throw error instanceof AggregateError ? error.errors[0] : error
    })
  return [...views]
}

/** Returns the highest head that its node proves; the lowest needs no proof. */
async function findCredible(views: readonly View[], ask: Ask): Promise<View> {
  const descending = views.toSorted((one, other) => Number(other.block.number - one.block.number))
  const isAhead = ({ block }: View) => Number(block.timestamp) > Date.now() / 1_000 + CLOCK_SKEW
  for (const [place, view] of descending.entries()) {
    const lower = descending.slice(place + 1)
    const next = lower.find(({ block }) => block.number < view.block.number)
    if (!next) return view
    // A chain may have its own clock, which all its nodes show.
    if (isAhead(view) && !lower.every(isAhead)) continue
    if (await isProven(view, next, ask).catch(() => false)) return view
  }
  return descending.at(-1)!
}

/** True if a node shows the head that it claims, and another node's head below it. */
async function isProven({ node, block }: View, next: View, ask: Ask): Promise<boolean> {
  const [own, parent, common] = await Promise.all([
    askBlock(node, ask, block.hash),
    askBlock(node, ask, block.parentHash),
    askBlock(node, ask, next.block.number),
  ])
  const isShown =
    own?.number === block.number &&
    parent?.hash === block.parentHash &&
    parent.number === block.number - 1n &&
    parent.timestamp <= block.timestamp
  if (!isShown) return false
  if (common?.hash === next.block.hash) return true
  const deep = next.block.number > FORK_DEPTH ? next.block.number - FORK_DEPTH : 0n
  const [here, there] = await Promise.all([askBlock(node, ask, deep), askBlock(next.node, ask, deep)])
  return here !== null && here.hash === there?.hash
}
