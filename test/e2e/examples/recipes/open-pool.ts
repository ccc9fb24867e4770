import type { Client } from 'stealth-relay/client'
import { createPoolView, readPool, type ContractReader } from 'stealth-relay/client/pool'
import { createClient, http, zeroAddress, type Address } from 'viem'
import { readContract } from 'viem/actions'

export async function openPool(client: Client, chainId: number, entrypoint: Address, nodeUrl: string) {
  // A node of the wallet's choice: the pool's roots are compared with it before each proof.
  // A `createPublicClient` of viem does too; it adds 50 kB to a page.
  const node = createClient({ transport: http(nodeUrl) })
  const reader: ContractReader = { readContract: (read) => readContract(node, read) }
  const pool = await readPool(reader, { chainId, entrypoint, token: zeroAddress })
  return createPoolView(client, pool, reader)
}
