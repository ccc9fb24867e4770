import type { Client } from 'stealth-relay/client'
import { spendBlindly, type PoolView, type Prover } from 'stealth-relay/client/pool'
import type { Address } from 'viem'

export async function withdrawPrivately(
  client: Client,
  { view, amount, recipient, prover }: { view: PoolView; amount: bigint; recipient: Address; prover: Prover },
) {
  // The service does not learn which note pays. `spendTold` lets it choose and lock notes, and say how big the crowd is.
  const { txHash } = await spendBlindly(client, { view, amount, recipient, maxFee: amount / 10n, prover })
  return txHash
}
