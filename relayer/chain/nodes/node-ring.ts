import type { Logger } from 'pino'
import { createIdentity, type NodeIdentity } from './node-identity.ts'
import { createNodeDiary, type NodeDiary, type NodeRecord } from './node-record.ts'

/** A client's request may need a second question; it still gets an answer within ten seconds. */
export const NODE_TIMEOUT_MS = 8_000
/** For this long a node that showed nothing where another showed something is asked last. */
const LACKING_FOR_MS = 60_000
/** For this long a node's empty answer counts when it would be asked beside another; doubled at each repetition. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000
const MOST_REMEMBERED = 5_000
/** For this long all work of a chain avoids a node that did not answer; doubled each time it fails on its return. */
const FIRST_MOVE_MS = 60_000
const LONGEST_MOVE_MS = 600_000

/** The reason why a node is not asked first. */
export type NodeProblem = 'behind' | 'unproven' | 'silent' | 'other-chain'

/** The state of one node of a chain, named without its credentials. */
export interface NodeStatus extends NodeRecord {
  name: string
  problem: NodeProblem | null
  /** Human-readable; null without a problem. */
  detail: string | null
  /** Its newest block at the last comparison of heads; null before the first, and for a chain's only node. */
  height: bigint | null
  /** Blocks behind the newest credible head, at the last comparison of heads. */
  behind: number
}

/** One node of a chain. */
export interface ChainNode {
  /** Its host; nodes that share a host are numbered. No path, because it may contain a key. */
  readonly name: string
  readonly url: string
  readonly identity: NodeIdentity
  readonly diary: NodeDiary
}

/** The result of comparing heads, for one node. */
export interface NodeStanding {
  node: ChainNode
  problem: Exclude<NodeProblem, 'other-chain'> | null
  detail: string | null
  /** Null where it did not answer. */
  height: bigint | null
  behind: number
}

/** The nodes of a chain and the order in which they are asked. All clients of the chain share it. */
export interface NodeRing {
  readonly nodes: readonly ChainNode[]
  /** The node whose head counts. */
  leader(): ChainNode
  /** All nodes, the leader first; nodes that are behind, or lack the method's data, last. */
  inOrder(method?: string): readonly ChainNode[]
  /** Applies the result of a comparison of heads. */
  rank(leader: ChainNode, standings: readonly NodeStanding[]): void
  statuses(): readonly NodeStatus[]
  /** The URLs in that order, without nodes of another chain. */
  urls(): readonly string[]
  /**
   * True if a node should be asked for what another one does not have. A node that recently returned nothing for it either
   * is skipped for a while.
   */
  isWorthAsking(node: ChainNode, question: string): boolean
  /** Records that a node returned nothing for a question. */
  noteNothing(node: ChainNode, question: string): void
  /**
   * Records that a node did not answer. If it was asked first, all work of the chain moves to the next node for a while.
   * Moving only the failed questions would show every node a sample of all addresses.
   */
  noteSilence(node: ChainNode): void
  /** Records that a node showed nothing where another one did. */
  noteLack(node: ChainNode, method: string): void
}

/** Creates the ring of a chain's nodes; the first is the leader until their heads are compared. */
export function createNodeRing(urls: readonly string[], chainId: number, log?: Logger): NodeRing {
  const others = new Map<string, string>()
  const nodes = createNodes(urls, chainId, others)
  let leader = nodes[0]!
  let standings = new Map<ChainNode, NodeStanding>()
  const lacking = new Map<string, number>()
  const left = new Map<ChainNode, { until: number; forMs: number }>()

  const isBad = (node: ChainNode) => others.has(node.name) || standings.get(node)?.problem != null
  const lacks = ({ name }: ChainNode, method: string) => (lacking.get(`${name} ${method}`) ?? 0) > Date.now()

  const isLeft = (node: ChainNode) => (left.get(node)?.until ?? 0) > Date.now()

  function inOrder(method = ''): readonly ChainNode[] {
    if (nodes.length === 1) return nodes
    const penalty = (node: ChainNode) =>
      (isBad(node) ? 8 : 0) +
      (isLeft(node) ? 4 : 0) +
      (lacks(node, method) ? 2 : 0) +
      (node === leader ? 0 : 1)
    return nodes.toSorted((one, other) => penalty(one) - penalty(other))
  }

  return {
    nodes,
    leader: () => leader,
    inOrder,
    urls: () => inOrder().flatMap(({ name, url }) => (others.has(name) ? [] : url)),
    rank(next, found) {
      leader = next
      standings = new Map(found.map((standing) => [standing.node, standing]))
    },
    statuses: () => nodes.map((node) => statusOf(node, standings.get(node), others.get(node.name))),
    ...createPauses(),
    noteSilence(node) {
      if (nodes.length === 1 || isLeft(node) || inOrder()[0] !== node) return
      const before = left.get(node)
      const isAgain = before !== undefined && Date.now() - before.until < before.forMs
      const forMs = isAgain ? Math.min(LONGEST_MOVE_MS, 2 * before.forMs) : FIRST_MOVE_MS
      left.set(node, { until: Date.now() + forMs, forMs })
      log?.warn({ node: node.name, forMs }, 'a node did not answer: the work of the chain moves to the next')
    },
    noteLack: ({ name }, method) => void lacking.set(`${name} ${method}`, Date.now() + LACKING_FOR_MS),
  }
}

/** @param other The problem of a node that serves another chain. */
function statusOf(
  { name, diary }: ChainNode,
  standing: NodeStanding | undefined,
  other: string | undefined,
): NodeStatus {
  const { problem = null, detail = null, height = null, behind = 0 } = standing ?? {}
  const status = { name, problem, detail, height, behind, ...diary.read() }
  if (other !== undefined) return { ...status, problem: 'other-chain', detail: other }
  const silence = diary.findSilence()
  return silence === null ? status : { ...status, problem: 'silent', detail: silence }
}

/** @param others Receives, by name, the problems of nodes that serve another chain. */
function createNodes(urls: readonly string[], chainId: number, others: Map<string, string>): ChainNode[] {
  return nameNodes(urls).map(({ name, url }) => {
    const identity = createIdentity(url, chainId, NODE_TIMEOUT_MS, (problem) => {
      if (problem === null) others.delete(name)
      else others.set(name, problem)
    })
    return { name, url, identity, diary: createNodeDiary() }
  })
}

/** Creates the memory of empty answers: which node is skipped for a question, and for how long. */
function createPauses() {
  const silenced = new Map<string, { until: number; pauseMs: number }>()
  return {
    isWorthAsking: ({ name }: ChainNode, question: string) =>
      (silenced.get(`${name} ${question}`)?.until ?? 0) <= Date.now(),
    noteNothing({ name }: ChainNode, question: string): void {
      const key = `${name} ${question}`
      const pauseMs = Math.min(LONGEST_PAUSE_MS, (silenced.get(key)?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2)
      silenced.delete(key)
      silenced.set(key, { until: Date.now() + pauseMs, pauseMs })
      for (const oldest of silenced.keys()) {
        if (silenced.size <= MOST_REMEMBERED) break
        silenced.delete(oldest)
      }
    },
  }
}

function nameNodes(urls: readonly string[]): { name: string; url: string }[] {
  const counts = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const count = (counts.get(host) ?? 0) + 1
    counts.set(host, count)
    return { url, name: count === 1 ? host : `${host} (${count})` }
  })
}
