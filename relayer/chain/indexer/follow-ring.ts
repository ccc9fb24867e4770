import type { NodeRing } from '../nodes/node-ring.ts'
import type { Nodes } from './ask-nodes.ts'

/** For this long a node that alone was right is asked first. */
const KEPT_MS = 600_000

/**
 * Asks the node first that the whole chain asks first, so that other nodes learn no addresses. A node that was right where
 * that one was wrong is asked first for ten minutes, or until the chain's work moves.
 */
export function followRing(nodes: Nodes, ring: Pick<NodeRing, 'nodes' | 'inOrder' | 'noteSilence'>): Nodes {
  const { urls } = nodes
  const first = () => Math.max(0, urls.indexOf(ring.inOrder()[0]?.url ?? ''))
  let kept = { first: first(), preferred: first(), until: 0 }
  return {
    ...nodes,
    get preferred() {
      return kept.first === first() && kept.until > Date.now() ? kept.preferred : first()
    },
    set preferred(index) {
      if (index !== this.preferred) kept = { first: first(), preferred: index, until: Date.now() + KEPT_MS }
    },
    noteSilence(url) {
      const node = ring.nodes.find((one) => one.url === url)
      if (node) ring.noteSilence(node)
    },
  }
}
