import { setTimeout as sleep } from 'node:timers/promises'

export interface Blocks {
  /** From now on only `mine` makes blocks. */
  hold(): Promise<void>
  /** From now on every transaction gets a block immediately. */
  release(): Promise<void>
  mine(blocks?: number): Promise<void>
  /** From now on several blocks are made per second, so that confirmations come quickly. */
  keepMining(): void
  stopMining(): Promise<void>
}

/**
 * Milliseconds between blocks. Each block makes every service over the chain poll, so ten a second would be too many.
 */
const MINING_PAUSE_MS = 250

/** Controls when a local chain makes blocks; `ask` calls a method of its node. */
export function controlBlocks(ask: (method: string, ...params: unknown[]) => Promise<unknown>): Blocks {
  let mining: { isOver: boolean; ended: Promise<void> } | null = null
  const mine = async (blocks = 1) => void (await ask('anvil_mine', `0x${blocks.toString(16)}`))
  return {
    hold: async () => void (await ask('evm_setAutomine', false)),
    release: async () => void (await ask('evm_setAutomine', true)),
    mine,
    keepMining() {
      const own = { isOver: false, ended: Promise.resolve() }
      own.ended = (async () => {
        while (!own.isOver) {
          await mine()
          await sleep(MINING_PAUSE_MS)
        }
      })()
      mining = own
    },
    async stopMining() {
      const own = mining
      mining = null
      if (!own) return
      own.isOver = true
      await own.ended
    },
  }
}
