import type { Hash, PublicClient } from 'viem'

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
