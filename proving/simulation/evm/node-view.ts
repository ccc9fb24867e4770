import { quantity } from '../provider.ts'
import { BlockState, blockHeader, type BlockHeader } from './block-state.ts'
import { CodeCache } from './code-cache.ts'
import { detectHardfork, type SupportedHardfork } from './detect-hardfork.ts'
import { createRequestBatcher, type Ask } from './request-batcher.ts'

/** Two blocks are cached: nodes behind a balancer may name the new and the old one in turn. */
const GENERATIONS = 2
/** A chain may follow new rules from one block to the next. */
const RULES_LAST_MS = 600_000

/** The id of a chain, and the rules that it follows. */
export interface ChainRules {
  chainId: number
  hardfork: SupportedHardfork
}

/** One node's view of its chain. */
export interface NodeView {
  ask: Ask
  rules: ChainRules
  /** State after the newest block. */
  state: BlockState
}

/** Caches the answers of nodes for the life of the thread. */
export interface NodeViews {
  /** Reads the newest block: one round trip. Throws TransportError or RpcRefusal. */
  open(url: string): Promise<NodeView>
}

function createNodeViewer(url: string): () => Promise<NodeView> {
  const ask = createRequestBatcher(url)
  let rules: { known: Promise<ChainRules>; until: number } | undefined
  let states: BlockState[] = []
  let codes = new CodeCache()
  let look: Promise<NodeView> | undefined

  async function readRules(): Promise<ChainRules> {
    const [id, hardfork] = await Promise.all([ask('eth_chainId', []), detectHardfork(ask)])
    return { chainId: Number(quantity.parse(id)), hardfork }
  }

  function knowRules(): Promise<ChainRules> {
    if (rules && performance.now() < rules.until) return rules.known
    const known = readRules()
    rules = { known, until: performance.now() + RULES_LAST_MS }
    known.catch(() => (rules = undefined))
    return known
  }

  async function lookAtHead(): Promise<NodeView> {
    const head = ask('eth_getBlockByNumber', ['latest', false])
    const [known, header] = await Promise.all([knowRules(), head.then((block) => blockHeader.parse(block))])
    return { ask, rules: known, state: openState(header) }
  }

  function openState(header: BlockHeader): BlockState {
    const known = states.find((state) => state.header.hash === header.hash)
    if (known) return known
    // a chain that goes back may have other contracts at the same addresses
    if (states.some(({ header: { number } }) => number >= header.number)) codes = new CodeCache()
    const state = new BlockState(ask, header, codes)
    states = [state, ...states].slice(0, GENERATIONS)
    return state
  }

  return () => (look ??= lookAtHead().finally(() => (look = undefined)))
}

/**
 * Creates the views of all nodes. A node's view is opened with its first simulation and then follows its newest
 * block.
 */
export function createNodeViews(): NodeViews {
  const viewers = new Map<string, () => Promise<NodeView>>()
  return {
    open(url) {
      const viewer = viewers.get(url) ?? createNodeViewer(url)
      viewers.set(url, viewer)
      return viewer()
    },
  }
}
