import type { Logger } from 'pino'
import { createIdentity, type NodeIdentity } from './node-identity.ts'

/** A client's request may need one more question; it still gets an answer within ten seconds. */
export const NODE_TIMEOUT_MS = 8_000
/** A node that showed nothing where another showed something is asked last for so long. */
const LACKING_FOR_MS = 60_000
/** So long a node's word that it has nothing counts, when it is asked beside another: doubled each time it says so again. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000
const MOST_REMEMBERED = 5_000
/** So long all work of a chain stays away from a node that did not answer: twice as long each time it fails on its return. */
const FIRST_MOVE_MS = 60_000
const LONGEST_MOVE_MS = 600_000

/** What keeps a node from being asked first. */
export type NodeProblem = 'behind' | 'unproven' | 'silent' | 'other-chain'

/** How one node of a chain fares, named without its credentials. */
export interface NodeStatus {
  name: string
  problem: NodeProblem | null
  /** For people; null without a problem. */
  detail: string | null
  /** Blocks behind the newest credible head, when heads were compared last. */
  behind: number
}

/** One node of a chain. */
export interface ChainNode {
  /** Its host; those that share one are numbered. No path, for that may hold a key. */
  readonly name: string
  readonly url: string
  readonly identity: NodeIdentity
}

/** What comparing the heads of nodes says of one. */
export interface NodeStanding {
  node: ChainNode
  problem: Exclude<NodeProblem, 'other-chain'> | null
  detail: string | null
  behind: number
}

/** The nodes of a chain and the order in which they are asked. All clients of the chain share it. */
export interface NodeRing {
  readonly nodes: readonly ChainNode[]
  /** The node whose head counts. */
  leader(): ChainNode
  /** All nodes, the leader first; those that are behind, or lack what the method asks for, last. */
  inOrder(method?: string): readonly ChainNode[]
  /** Takes over what comparing their heads has shown. */
  rank(leader: ChainNode, standings: readonly NodeStanding[]): void
  statuses(): readonly NodeStatus[]
  /** The URLs in that order, without nodes of another chain. */
  urls(): readonly string[]
  /**
   * Whether a node is to be asked for what another one does not have. One that has just said that it has nothing either
   * is left alone for a while.
   */
  isWorthAsking(node: ChainNode, question: string): boolean
  /** A node has nothing to show for a question. */
  noteNothing(node: ChainNode, question: string): void
  /**
   * A node did not answer. If it was asked first, all work of the chain moves to the next for a while, rather than each question
   * that fails: a node that gets a sample of all learns of everybody.
   */
  noteSilence(node: ChainNode): void
  /** A node showed nothing where another one did. */
  noteLack(node: ChainNode, method: string): void
}

/** Creates the ring of a chain's nodes; the first is the leader until their heads are compared. */
export function createNodeRing(urls: readonly string[], chainId: number, log?: Logger): NodeRing {
  const others = new Map<string, string>()
  const nodes = nameNodes(urls).map(({ name, url }): ChainNode => {
    const identity = createIdentity(url, chainId, NODE_TIMEOUT_MS, (problem) => {
      if (problem === null) others.delete(name)
      else if (!others.has(name))
        log?.error({ node: name, problem }, 'a node serves another chain: it is left out')
      if (problem !== null) others.set(name, problem)
    })
    return { name, url, identity }
  })
  let leader = nodes[0]!
  let standings = new Map<ChainNode, NodeStanding>()
  const lacking = new Map<string, number>()
  const silenced = new Map<string, { until: number; pauseMs: number }>()
  const left = new Map<ChainNode, { until: number; forMs: number }>()

  const isBad = (node: ChainNode) => others.has(node.name) || standings.get(node)?.problem != null
  const lacks = ({ name }: ChainNode, method: string) => (lacking.get(`${name} ${method}`) ?? 0) > Date.now()

  const isLeft = (node: ChainNode) => (left.get(node)?.until ?? 0) > Date.now()

  function report(next: readonly NodeStanding[]): void {
    for (const { node, problem, detail, behind } of next) {
      const before = standings.get(node)?.problem ?? null
      if (problem === before || nodes.length === 1) continue
      if (problem === null) log?.info({ node: node.name }, 'a node of the chain is well again')
      else log?.warn({ node: node.name, problem: detail, behind }, 'a node of the chain is passed over')
    }
  }

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
      report(found)
      leader = next
      standings = new Map(found.map((standing) => [standing.node, standing]))
    },
    statuses: () =>
      nodes.map((node) => {
        const other = others.get(node.name)
        const { problem = null, detail = null, behind = 0 } = standings.get(node) ?? {}
        return other === undefined
          ? { name: node.name, problem, detail, behind }
          : { name: node.name, problem: 'other-chain', detail: other, behind }
      }),
    isWorthAsking: ({ name }, question) => (silenced.get(`${name} ${question}`)?.until ?? 0) <= Date.now(),
    noteNothing({ name }, question) {
      const key = `${name} ${question}`
      const pauseMs = Math.min(LONGEST_PAUSE_MS, (silenced.get(key)?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2)
      silenced.delete(key)
      silenced.set(key, { until: Date.now() + pauseMs, pauseMs })
      for (const oldest of silenced.keys()) {
        if (silenced.size <= MOST_REMEMBERED) break
        silenced.delete(oldest)
      }
    },
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

function nameNodes(urls: readonly string[]): { name: string; url: string }[] {
  const counts = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const count = (counts.get(host) ?? 0) + 1
    counts.set(host, count)
    return { url, name: count === 1 ? host : `${host} (${count})` }
  })
}
