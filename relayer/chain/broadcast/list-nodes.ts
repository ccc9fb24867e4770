import { createPublicClient, custom, type Hash, type PublicClient } from 'viem'
import type { RelayingChain } from '../nodes/chain.ts'
import { createClient } from '../nodes/open-chain.ts'

/** One node of a chain, asked directly. */
export type NodeRequest = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>

/** The nodes behind a client that fails over between several; sending must know which of them answered what. */
export function listNodes(client: PublicClient): readonly NodeRequest[] {
  const { transports } = client.transport as { transports?: readonly { request: NodeRequest }[] }
  return transports?.map(({ request }) => request) ?? [client.request as NodeRequest]
}

/** Returns the nodes that receive a chain's transactions: its private endpoints where it has some, else its nodes. */
export function listTakers({ client, config }: RelayingChain): readonly NodeRequest[] {
  const { privateRpcUrls = [] } = config.relayer
  return privateRpcUrls.length === 0
    ? listNodes(client)
    : listNodes(createClient({ ...config, rpcUrls: privateRpcUrls }))
}

/** Returns a client for each single node, to compare their answers. */
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
