import { callOperation, type Client } from 'stealth-relay/client'
import { spendBlindly, type PoolView, type Prover } from 'stealth-relay/client/pool'
import type { Address } from 'viem'

export async function withdrawPrivately(
  client: Client,
  { view, amount, recipient, prover }: { view: PoolView; amount: bigint; recipient: Address; prover: Prover },
  agrees: (fee: bigint) => Promise<boolean>,
) {
  // Asked without a session: the service does not learn whose note pays, or which one.
  const { chainId, asset } = view.pool
  const body = { chainId, asset, amount: String(amount), recipient, extraGas: false }
  const { feeBPS } = await callOperation(client.url, 'relayerQuote', { body })
  // The price of gas moves while the proof is made.
  const maxFee = (amount * BigInt(feeBPS) * 5n) / 4n / 10_000n
  if (!(await agrees(maxFee))) return null
  const { txHash } = await spendBlindly(client, { view, amount, recipient, maxFee, prover })
  return txHash
}
