import type { Address, Hash, PublicClient } from 'viem'

/** One node of a chain, asked directly. */
export type NodeRequest = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>

/** The nodes behind a client that fails over between several; sending must know which of them answered what. */
export function listNodes(client: PublicClient): readonly NodeRequest[] {
  const { transports } = client.transport as { transports?: readonly { request: NodeRequest }[] }
  return transports?.map(({ request }) => request) ?? [client.request as NodeRequest]
}

/**
 * True when every node answered and none knows any of the transactions. A node that does not answer may know one.
 */
export async function isKnownNowhere(
  nodes: readonly NodeRequest[],
  hashes: readonly Hash[],
): Promise<boolean> {
  try {
    const answers = await Promise.all(
      nodes.flatMap((ask) =>
        hashes.map((hash) => ask({ method: 'eth_getTransactionByHash', params: [hash] })),
      ),
    )
    return answers.every((answer) => answer === null)
  } catch {
    return false
  }
}

/** The highest count of an account's transactions that any node gives: nodes behind a balancer lag. Throws when none answers. */
export async function readTxNonce(
  nodes: readonly NodeRequest[],
  address: Address,
  block: bigint | 'latest',
): Promise<number> {
  const tag = typeof block === 'bigint' ? `0x${block.toString(16)}` : block
  const counts = await Promise.allSettled(
    nodes.map((ask) => ask({ method: 'eth_getTransactionCount', params: [address, tag] })),
  )
  const known = counts.flatMap((count) => (count.status === 'fulfilled' ? [Number(count.value)] : []))
  if (known.length === 0) throw new Error(`no node counts the transactions of ${address}`)
  return Math.max(...known)
}
