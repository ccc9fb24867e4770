import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, getAbiItem, http } from 'viem'
import type { DescribedChain } from '../../relayer/devnet/devnet-description.ts'
import { poolEventsAbi } from '../../relayer/devnet/pool-events.ts'

const POLL_MS = 25
const PATIENCE_MS = 60_000

/** Tells when the chain itself has a withdrawal, whatever the relayer says. */
export interface SpentWatch {
  /** Whether the note was spent within a minute. */
  waitFor(nullifierHash: string): Promise<boolean>
  stop(): Promise<void>
}

const spentEvent = getAbiItem({ abi: poolEventsAbi, name: 'Withdrawn' })

export function watchSpent(chains: readonly DescribedChain[]): SpentWatch {
  const spent = new Set<string>()
  const ending = new AbortController()
  const { signal } = ending
  const follow = async ({ rpcUrl }: DescribedChain) => {
    const reader = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
    let next = 0n
    while (!signal.aborted) {
      const head = await reader.getBlockNumber()
      if (head >= next) {
        const logs = await reader.getLogs({ event: spentEvent, fromBlock: next, toBlock: head })
        for (const { args } of logs) spent.add(String(args._spentNullifier))
        next = head + 1n
      }
      await sleep(POLL_MS)
    }
  }
  const following = Promise.all(chains.map(follow))
  following.catch(() => ending.abort())
  return {
    async waitFor(nullifierHash) {
      const deadline = performance.now() + PATIENCE_MS
      while (!spent.has(nullifierHash)) {
        if (signal.aborted || performance.now() > deadline) return false
        await sleep(POLL_MS / 5)
      }
      return true
    },
    async stop() {
      ending.abort()
      await following
    },
  }
}
