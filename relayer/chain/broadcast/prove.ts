import { type Address, type Hash, isAddressEqual, toHex, type Hex } from 'viem'
import { askAll, isNonceTaken } from './agree-on-nonce.ts'
import { isKnownNowhere, type NodeRequest } from './list-nodes.ts'
import type { Proof } from './nonce-terms.ts'
import type { Outbox } from './outbox.ts'

/** A nonce, and all forms that one transaction has under it. */
export interface NonceForms {
  signer: Address
  txNonce: number
  hashes: readonly Hash[]
}

/** `counted`: how many transactions of the signer the nodes agree on, where the proof asked for that; else 0. */
export interface Proven {
  holds: boolean
  counted: number
}

const NOT_PROVEN: Proven = { holds: false, counted: 0 }

const PROOFS: Record<Proof, (outbox: Outbox, forms: NonceForms) => Promise<Proven>> = {
  none: () => Promise.resolve({ holds: true, counted: 0 }),
  'known-nowhere': async ({ nodes, takers }, { hashes }) => ({
    // A private endpoint may hold a form that no node shows.
    holds: await isKnownNowhere([...new Set([...nodes, ...takers])], hashes),
    counted: 0,
  }),
  counted: proveCountedWithoutReceipt,
  'counted-by-another': proveCountedByAnother,
}

/** Asks the nodes for a proof; without answers it does not hold. */
export function prove(outbox: Outbox, proof: Proof, forms: NonceForms): Promise<Proven> {
  return PROOFS[proof](outbox, forms)
}

async function proveCounted({ nodes, chain }: Outbox, { signer, txNonce }: NonceForms): Promise<Proven> {
  const { taken, counted } = await isNonceTaken(nodes, signer, txNonce, 'latest')
  return taken && chain.head() ? { holds: true, counted } : NOT_PROVEN
}

/**
 * A provider may pass a form to its nodes twice, and then answer that the nonce is used: by that very form. A node that
 * counts it has its receipt as well.
 */
async function proveCountedWithoutReceipt(outbox: Outbox, forms: NonceForms): Promise<Proven> {
  const counted = await proveCounted(outbox, forms)
  if (!counted.holds || (await mayBeMined(outbox.nodes, forms.hashes))) return NOT_PROVEN
  return counted
}

/**
 * A form of our own may be in a block whose receipt a lagging node does not show yet. So the count must hold in a final
 * block. Nodes may repeat an old answer that there is no receipt, so the block that used the nonce is read.
 */
async function proveCountedByAnother(outbox: Outbox, forms: NonceForms): Promise<Proven> {
  const { nodes, chain } = outbox
  const { signer, txNonce, hashes } = forms
  const head = chain.head()
  if (await mayBeMined(nodes, hashes)) return NOT_PROVEN
  const counted = await proveCounted(outbox, forms)
  if (!counted.holds || !head) return NOT_PROVEN
  const depth = BigInt(Math.max(1, chain.config.confirmations))
  if (head.number < depth) return NOT_PROVEN
  const final = head.number - depth
  if (!(await isNonceTaken(nodes, signer, txNonce, final)).taken) return NOT_PROVEN
  const users = await findNonceUsers(nodes, { signer, txNonce, upTo: final })
  return users.some((user) => hashes.includes(user)) ? NOT_PROVEN : counted
}

/** True if one of them may be in a block: a node shows a receipt, or too few answer. */
async function mayBeMined(nodes: readonly NodeRequest[], hashes: readonly Hash[]): Promise<boolean> {
  const answers = await Promise.all(
    hashes.map((hash) => askAll(nodes, { method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const voices = Math.min(2, nodes.length)
  return answers.some((receipts) => receipts.length < voices || receipts.some((receipt) => receipt !== null))
}

/** Depth of the search in blocks: nodes without an archive have the state of 128. */
const DEEPEST = 120n

interface Block {
  transactions: readonly { hash: Hash; from: Address; nonce: Hex }[]
}

/** A nonce, and a block whose state counts past it. */
interface UsedNonce {
  signer: Address
  txNonce: number
  upTo: bigint
}

/**
 * Returns the transactions that used a nonce, as each node shows them in the nonce's block: these answers depend on no
 * receipt. A node without an answer is omitted: the block is older than its states, or it is silent.
 */
async function findNonceUsers(nodes: readonly NodeRequest[], nonce: UsedNonce): Promise<Hash[]> {
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
