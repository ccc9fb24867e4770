import { isAddressEqual, toHex, type Address, type Hash, type Hex } from 'viem'
import type { NodeRequest } from './list-nodes.ts'

/** How far back the search goes, in blocks: nodes without an archive have the state of 128. */
const DEEPEST = 120n

interface Block {
  transactions: readonly { hash: Hash; from: Address; nonce: Hex }[]
}

/**
 * The transaction that used a nonce, read from its block: an answer that does not depend on any receipt.
 * @param range `upTo`: a block whose state counts past the nonce.
 * @returns Null when no node can say: the block is older than its states, or it does not answer.
 */
export async function findNonceUser(
  nodes: readonly NodeRequest[],
  range: { signer: Address; txNonce: number; upTo: bigint },
): Promise<Hash | null> {
  for (const ask of nodes) {
    const user = await lookAtBlock(ask, range).catch(() => null)
    if (user !== null) return user
  }
  return null
}

async function lookAtBlock(
  ask: NodeRequest,
  { signer, txNonce, upTo }: { signer: Address; txNonce: number; upTo: bigint },
): Promise<Hash | null> {
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
