// SPDX-License-Identifier: MIT
import type { PublicClient } from 'viem'

/** A range of blocks, both included. */
export interface BlockRange {
  fromBlock: bigint
  toBlock: bigint
}

/** Below this a refusal has another reason than the size of the range. */
const LEAST_RANGE = 16n

/**
 * Reads logs from a block up to the newest one. A range that the node refuses as too large is halved, and so are the
 * ranges after it.
 * @param report Receives the part that is done, from 0 to 1.
 * @throws Error where the node refuses even small ranges.
 */
export async function searchLogs<Log>(
  reader: PublicClient,
  read: (range: BlockRange) => Promise<readonly Log[]>,
  { since = 0n, report }: { since?: bigint; report?: (done: number) => void } = {},
): Promise<Log[]> {
  const head = await reader.getBlockNumber()
  const found: Log[] = []
  let size = head - since + 1n
  for (let fromBlock = since; fromBlock <= head;) {
    const end = fromBlock + size - 1n
    try {
      found.push(...(await read({ fromBlock, toBlock: end < head ? end : head })))
      fromBlock = end + 1n
      report?.(Math.min(1, Number(fromBlock - since) / Number(head - since + 1n)))
    } catch (error) {
      if (size <= LEAST_RANGE) throw error
      size = (size + 1n) / 2n
    }
  }
  return found
}
