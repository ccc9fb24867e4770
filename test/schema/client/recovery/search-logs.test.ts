import { createPublicClient, custom } from 'viem'
import { expect, it } from 'vitest'
import { searchLogs, type BlockRange } from '../../../../schema/client/recovery/search-logs.ts'

/** A node at this block that does nothing else. */
const nodeAt = (block: number) =>
  createPublicClient({
    transport: custom({ request: async () => `0x${block.toString(16)}` }, { retryCount: 0 }),
  })

it('every block is read once from a node that refuses large ranges', async () => {
  const MOST = 300n
  const read: BlockRange[] = []
  const found = await searchLogs(
    nodeAt(5_000),
    async (range) => {
      if (range.toBlock - range.fromBlock >= MOST) throw new Error('query returned more than 10000 results')
      read.push(range)
      return [range.fromBlock]
    },
    { since: 7n },
  )
  expect(found.length).toBe(read.length)
  expect(read.map(({ fromBlock }) => fromBlock)).toEqual([
    7n,
    ...read.slice(0, -1).map(({ toBlock }) => toBlock + 1n),
  ])
  expect(read.at(-1)?.toBlock).toBe(5_000n)
})

it('a node that refuses every range ends the search with its reason', async () => {
  const refuse = async () => {
    throw new Error('eth_getLogs is not available')
  }
  await expect(searchLogs(nodeAt(5_000), refuse)).rejects.toThrow('not available')
})
