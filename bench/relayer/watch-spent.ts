import { createPublicClient, getAbiItem, webSocket } from 'viem'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { poolEventsAbi } from '../../test/devnet/pool-events.ts'

const PATIENCE_MS = 60_000

/** Reports when the chain itself has a withdrawal, independently of the relayer. */
export interface SpentWatch {
  /** True if the note was spent within a minute. */
  waitFor(nullifierHash: string): Promise<boolean>
  stop(): Promise<void>
}

const spentEvent = getAbiItem({ abi: poolEventsAbi, name: 'Withdrawn' })

/** Follows the chains over their nodes' WebSockets: polling would add to the relayer's cost, and to the load. */
export async function watchSpent(chains: readonly DescribedChain[]): Promise<SpentWatch> {
  const spent = new Set<string>()
  const waiting = new Map<string, () => void>()
  const readers = await Promise.all(
    chains.map(async ({ rpcUrl }) => {
      const transport = webSocket(rpcUrl.replace(/^http/, 'ws'))
      const reader = createPublicClient({ transport })
      const unwatch = reader.watchEvent({
        event: spentEvent,
        onLogs: (logs) => logs.forEach(({ args }) => note(String(args._spentNullifier))),
        onError: (error) => console.error('the chain can no longer be followed', error),
      })
      // The node answers in order, so it follows by now.
      await reader.getBlockNumber()
      return { unwatch, close: async () => (await reader.transport.getRpcClient()).close() }
    }),
  )
  function note(nullifierHash: string): void {
    spent.add(nullifierHash)
    waiting.get(nullifierHash)?.()
    waiting.delete(nullifierHash)
  }
  return {
    waitFor(nullifierHash) {
      if (spent.has(nullifierHash)) return Promise.resolve(true)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const patience = setTimeout(() => resolve(false), PATIENCE_MS)
      waiting.set(nullifierHash, () => {
        clearTimeout(patience)
        resolve(true)
      })
      return promise
    },
    async stop() {
      for (const { unwatch, close } of readers) {
        unwatch()
        await close()
      }
    },
  }
}
