import { createPublicClient, custom, type Hash, type PublicClient } from 'viem'

/** One node of a chain, asked directly. */
export type NodeRequest = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>

/** The nodes behind a client that fails over between several; sending must know which of them answered what. */
export function listNodes(client: PublicClient): readonly NodeRequest[] {
  const { transports } = client.transport as { transports?: readonly { request: NodeRequest }[] }
  return transports?.map(({ request }) => request) ?? [client.request as NodeRequest]
}

/** A client for each node alone, where the nodes' answers are to be compared. */
export const listClients = (client: PublicClient): PublicClient[] =>
  listNodes(client).map((request) =>
    createPublicClient({
      chain: client.chain,
      cacheTime: 0,
      ccipRead: false,
      transport: custom({ request }, { retryCount: 0 }),
    }),
  )

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
