import type { Address } from 'viem'
import { computeRelayFeeBps, smallestAmountInWei } from './relay-fee.ts'
import { demandPrice, demandRunway } from './demand-capacity.ts'
import { findPool } from './find-pool.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import { paidRelayGas } from './paid-relay-gas.ts'
import type { RelayQuoteParts } from './quote-relay.ts'
import { TOP_UP_GAS } from './relay-gas.ts'
import type { RelayTerms } from './withdrawals.ts'

/** Reads the present terms of a relay for any amount: the fee that a quote of each amount would have. */
export async function readRelayTerms(
  { chains, broadcast, relayGas, config }: Omit<RelayQuoteParts, 'proving' | 'lostRecipients'>,
  { chainId, asset }: { chainId: number; asset: Address },
): Promise<RelayTerms> {
  const { relayerChain, pool } = findPool(chains, chainId, asset)
  demandRunway(broadcast, chainId, config.minRunway)
  const sendingPrice = demandPrice(relayerChain)
  const price = await orPoolsRefreshing(chainId, relayerChain.priceOf(pool.asset))
  const paid = paidRelayGas(sendingPrice, { relay: relayGas.quoted(pool), topUp: TOP_UP_GAS })
  const fee = {
    baseFeeBps: BigInt(pool.asset.baseFeeBPS),
    gasPrice: sendingPrice.gasPrice,
    gas: [paid.relay],
  }
  const feeBps = (amount: bigint) =>
    computeRelayFeeBps({ ...fee, amountInWei: price.toWei(amount) }) ?? 10_000n
  const smallestWei = smallestAmountInWei(fee, pool.maxRelayFeeBps)
  // One unit more than the rounded-down conversion is worth at least that many wei.
  const affordable = smallestWei === null ? null : price.fromWei(smallestWei) + 1n
  const { minWithdrawAmount } = pool.asset
  const leastAmount = affordable !== null && affordable < minWithdrawAmount ? minWithdrawAmount : affordable
  return {
    baseFeeBps: fee.baseFeeBps,
    maxFeeBps: pool.maxRelayFeeBps,
    leastAmount,
    feeBps,
  }
}
