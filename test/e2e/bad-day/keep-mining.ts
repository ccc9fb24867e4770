import { setTimeout as sleep } from 'node:timers/promises'
import { askNode } from '../../harness/ask-node.ts'

/** The blocks of some chains, which this alone makes. */
export interface Mining {
  /** From now on each chain takes its newest block back now and then. */
  storm(): void
  /** Runs a step between two blocks, if it takes no longer than three seconds. */
  between<Result>(step: () => Promise<Result>): Promise<Result>
  stop(): Promise<void>
}

const BLOCK_MS = 400
/** How long steps may keep a block off. */
const PATIENCE_MS = 3_000
const REORG_EVERY = 40

/** Makes blocks all the time. Transactions wait for them, as on a real chain. */
export async function keepMining(nodes: readonly string[]): Promise<Mining> {
  for (const node of nodes) await askNode(node, 'evm_setAutomine', false)
  const ending = new AbortController()
  const { signal } = ending
  const state = { steps: 0, isStormy: false }

  async function makeBlocks(): Promise<void> {
    for (let count = 1; !signal.aborted; count += 1) {
      const patience = performance.now() + PATIENCE_MS
      do await sleep(BLOCK_MS, undefined, { signal }).catch(() => undefined)
      while (state.steps > 0 && performance.now() < patience && !signal.aborted)
      for (const [place, node] of nodes.entries())
        await (
          state.isStormy && count % REORG_EVERY === 10 * place
            ? askNode(node, 'anvil_reorg', 1, [])
            : askNode(node, 'evm_mine')
        ).catch(() => undefined)
    }
  }

  const making = makeBlocks()
  return {
    storm: () => void (state.isStormy = true),
    async between(step) {
      state.steps += 1
      try {
        return await step()
      } finally {
        state.steps -= 1
      }
    },
    async stop() {
      ending.abort()
      await making
    },
  }
}
