import { isAddressEqual, toHex, type Address, type Hash, type Hex } from 'viem'
import type { NodeRequest } from './list-nodes.ts'

/** Depth of the search in blocks: nodes without an archive have the state of 128. */
const DEEPEST = 120n

interface Block {
  transactions: readonly { hash: Hash; from: Address; nonce: Hex }[]
}

/** A nonce, and a block whose state counts past it. */
export interface UsedNonce {
  signer: Address
  txNonce: number
  upTo: bigint
}

/**
 * Returns the transactions that used a nonce, as each node shows them in the nonce's block: these answers depend on no
 * receipt. A node without an answer is omitted: the block is older than its states, or it is silent.
 */
export async function findNonceUsers(nodes: readonly NodeRequest[], nonce: UsedNonce): Promise<Hash[]> {
  const users = await Promise.all(nodes.map((ask) => findUser(ask, nonce).catch(() => null)))
  return users.filter((user) => user !== null)
}

async function findUser(ask: NodeRequest, { signer, txNonce, upTo }: UsedNonce): Promise<Hash | null> {
  const isUsedBy = async (block: bigint) =>
    Number(await ask({ method: 'eth_getTransactionCount', params: [signer, toHex(block)] })) > txNonce
  let before = upTo > DEEPEST ? upTo - DEEPEST : 0n
  if (await isUsedBy(before)) return null
  // The nonce is unused by `before`, and used by `used`.
  let used = upTo
  while (used - before > 1n) {
    const middle = (before + used) / 2n
    if (await isUsedBy(middle)) used = middle
    else before = middle
  }
  const block = (await ask({ method: 'eth_getBlockByNumber', params: [toHex(used), true] })) as Block | null
  const user = block?.transactions.find(
    ({ from, nonce }) => isAddressEqual(from, signer) && Number(nonce) === txNonce,
  )
  return user?.hash ?? null
}
