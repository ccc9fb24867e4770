import type { Hash } from 'viem'
import { raiseNextTxNonces } from '../../../db/chain/broadcast/signer-leases.ts'
import { askAll, isNonceTaken } from './agree-on-nonce.ts'
import type { NodeRequest } from './list-nodes.ts'
import { NONCE_FILLER, type Outbox, type SignedOutbound } from './outbox.ts'
import { dropTakenNonce } from './release-nonce.ts'

/**
 * The account seems to be past a transaction's nonce. Either one of its own forms was mined, which the watcher books;
 * or a node lags or lies, and the answer means nothing; or somebody else used the account: then the transaction gets a new
 * nonce, for it can never be mined under the old one.
 * @param isNew No node was ever given any of the forms, so none of them can be mined and there is nothing to wait for.
 */
export async function resolveTakenNonce(
  outbox: Outbox,
  outbound: SignedOutbound,
  { hashes, isNew }: { hashes: readonly Hash[]; isNew: boolean },
): Promise<void> {
  const { nodes, chain, pool, signers } = outbox
  const { signer, txNonce } = outbound
  const head = chain.head()
  if (!isNew && (await mayBeMined(nodes, hashes))) return
  const { taken, counted } = await isNonceTaken(nodes, signer, txNonce, 'latest')
  if (!taken || !head) return
  if (!isNew) {
    // Our own form may be in a block whose receipt a lagging node does not show yet: wait until that block is final.
    const depth = BigInt(Math.max(1, chain.config.confirmations))
    if (head.number < depth) return
    if (!(await isNonceTaken(nodes, signer, txNonce, head.number - depth)).taken) return
  }
  if (signers.get(signer)?.leased)
    await raiseNextTxNonces(pool, chain.config.chainId, [{ address: signer, counted }])
  await dropTakenNonce(outbox, outbound, outbound.kind === NONCE_FILLER ? 'its nonce is used up' : null)
}

/**
 * Whether one of them may be in a block: a node shows a receipt, or too few answer. One node alone may lack receipts, or
 * repeat an old answer.
 */
async function mayBeMined(nodes: readonly NodeRequest[], hashes: readonly Hash[]): Promise<boolean> {
  const answers = await Promise.all(
    hashes.map((hash) => askAll(nodes, { method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const voices = Math.min(2, nodes.length)
  return answers.some((receipts) => receipts.length < voices || receipts.some((receipt) => receipt !== null))
}
