import { quantity } from '../provider.ts'
import { BlockState, blockHeader, type BlockHeader } from './block-state.ts'
import { CodeCache } from './code-cache.ts'
import { createRequestBatcher, type Ask } from './request-batcher.ts'
import { Hardfork } from '@ethereumjs/common'
import { RpcRefusal } from '../../rpc/json-rpc.ts'

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

/** The rules of execution that the EVM can follow, newest first. */
type SupportedHardfork = typeof Hardfork.Osaka | typeof Hardfork.Prague | typeof Hardfork.Cancun

/** Returns the number of leading zeros of 1 by the instruction CLZ (EIP-7939), which Osaka brings. */
const COUNT_LEADING_ZEROS = { data: '0x60011e60005260206000f3' }
/** Adds infinity to itself on BLS12-381 (EIP-2537), which Prague brings; without the precompile nothing is returned. */
const ADD_INFINITY = { to: `0x${'0b'.padStart(40, '0')}`, data: `0x${'00'.repeat(256)}` }

/** Detects a chain's rules by its abilities. Both questions travel in one round trip. */
async function detectHardfork(ask: Ask): Promise<SupportedHardfork> {
  const call = async (request: object): Promise<unknown> => {
    try {
      return await ask('eth_call', [request, 'latest'])
    } catch (error) {
      if (error instanceof RpcRefusal) return '0x'
      throw error
    }
  }
  const [zeros, point] = await Promise.all([call(COUNT_LEADING_ZEROS), call(ADD_INFINITY)])
  if (zeros === `0x${'ff'.padStart(64, '0')}`) return Hardfork.Osaka
  return typeof point === 'string' && point.length > 2 ? Hardfork.Prague : Hardfork.Cancun
}
