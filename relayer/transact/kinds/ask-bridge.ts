import type { Hex } from 'viem'
import { readFillTimeMs } from '../../../db/transact/bridge-orders.ts'
import { keyOf, tokenIdOf } from '../../market/tokens/token-id.ts'
import { readToken } from '../read-token.ts'
import type { BridgeOffer } from '../venues/bridge/bridge-venue.ts'
import type { FoundBridge } from '../venues/bridge/bridge-venues.ts'
import type { KindContext } from './quote-kind.ts'

/**
 * Quotes a bridge for an amount of its input token; null without a message for it.
 * @param messageFor Returns the message that the bridge sees, for the output before its fee.
 * @throws ServiceError as the bridge does; `unavailable` TOKEN_METADATA_UNAVAILABLE.
 */
export async function askBridge(
  context: KindContext,
  { venue, route }: FoundBridge,
  amount: bigint,
  messageFor: (uncharged: bigint) => Promise<Hex | null>,
): Promise<BridgeOffer | null> {
  const [input, output] = await Promise.all([
    readToken(context, tokenIdOf(route.origin.config.chainId, route.inputToken)),
    readToken(context, tokenIdOf(route.destination.config.chainId, route.outputToken)),
  ])
  const [inputDecimals, outputDecimals] = [input.decimals, output.decimals]
  const message = await messageFor((amount * 10n ** BigInt(outputDecimals)) / 10n ** BigInt(inputDecimals))
  if (message === null) return null
  const worth = await context.prices.read([input, output])
  const [inputUsd = null, outputUsd = null] = [input, output].map((token) => worth.get(keyOf(token))?.usd)
  const values = { input: inputUsd, output: outputUsd }
  return venue.quote(route, { amount, inputDecimals, outputDecimals, values, message })
}

/** Number of fills from which on our own fill times replace the bridge's estimate. */
const LEAST_FILLS = 10

/** Reads how long a fill takes, in milliseconds: by our own fills, else by the bridge's estimate. */
export async function readFillMs(
  { database }: KindContext,
  { route: { origin, destination, inputToken } }: FoundBridge,
  { estimatedFillMs }: BridgeOffer,
): Promise<number> {
  const [originChainId, destinationChainId] = [origin.config.chainId, destination.config.chainId]
  const fills = { originChainId, destinationChainId, inputToken }
  return (await readFillTimeMs(database, fills, LEAST_FILLS)) ?? estimatedFillMs
}
