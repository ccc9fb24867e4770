import { rateAdapterAbi } from '../../../../chain/contracts/peer-escrow.ts'
import type { PeerConfig } from '../../../../chain/nodes/venues-config.ts'
import { serverBusy } from '../../../../errors.ts'
import type { CashOutChain, CashOutRate } from '../cash-out-venue.ts'
import { cashOutUnavailable } from '../errors.ts'

const WHOLE = 10_000n

/**
 * Reads the rate of a currency from the escrow's own feed, by the escrow's rules.
 * @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE if the feed has no valid price, or only a stale one;
 * `unavailable` when the chain does not answer.
 */
export async function readPeerRate(
  { client }: Pick<CashOutChain, 'client'>,
  { rates, maxRateAgeSeconds, rateToleranceBps }: PeerConfig,
  currency: string,
): Promise<CashOutRate> {
  const feed = rates.find((one) => one.currency === currency)
  if (!feed) throw cashOutUnavailable()
  const [block, [isValid, market, updatedAt]] = await Promise.all([
    client.getBlock(),
    client.readContract({
      address: feed.adapter,
      abi: rateAdapterAbi,
      functionName: 'getRate',
      args: [feed.adapterConfig],
    }),
  ]).catch((cause: unknown) => {
    throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
  })
  const rate = (market * (WHOLE + BigInt(feed.spreadBps))) / WHOLE
  const minimumRate = (rate * (WHOLE - BigInt(rateToleranceBps))) / WHOLE
  const isFresh = block.timestamp <= updatedAt + BigInt(maxRateAgeSeconds)
  if (!isValid || !isFresh || minimumRate <= 0n) throw cashOutUnavailable()
  return { rate, minimumRate }
}
