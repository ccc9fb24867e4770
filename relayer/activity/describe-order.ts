import { getAddress, isAddressEqual, zeroAddress } from 'viem'
import type { OrderSummary } from '../../db/transact/bridge-orders.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import { explorerTxUrlBase } from '../chain/nodes/supported-chains.ts'
import { executionStatusOfOrder } from '../transact/orders/order-state.ts'
import type { ActivityBridge, TokenAmount } from './activity.ts'

/** The chains of an order: names, explorers, and which of their tokens are one asset. */
export type OrderChain = Pick<
  ChainConfig,
  'name' | 'explorer' | 'explorerTxPath' | 'wrappedNative' | 'venues'
>

/** An order as the account's activity shows it. */
export interface DescribedOrder {
  kind: 'BRIDGE' | 'CROSS_CHAIN_SWAP'
  executionStatus: 'pending' | 'succeeded' | 'partial' | 'failed'
  bridge: ActivityBridge
}

/** Returns the tokens that the description of an order names, besides the spent one. */
export const tokensOfOrder = (order: OrderSummary) => [
  { chainId: order.destinationChainId, token: order.outputToken },
  ...(order.arrivedToken === null ? [] : [{ chainId: arrivalChainOf(order), token: order.arrivedToken }]),
]

/**
 * Describes an order over a bridge from its row. `dest` is the expected amount, then the arrived one in whichever
 * token, or the refunded one.
 */
export function describeOrder(
  order: OrderSummary,
  chainOf: (chainId: number) => OrderChain | undefined,
  isOwnRecipient: boolean,
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): DescribedOrder {
  const { originChainId, destinationChainId, sourceToken, outputToken, arrivedToken, arrivedAmount } = order
  const [origin, destination] = [chainOf(originChainId), chainOf(destinationChainId)]
  const arrivalChainId = arrivalChainOf(order)
  const arrivalChain = chainOf(arrivalChainId)
  const asset = assetOf(origin, sourceToken)
  return {
    kind: asset !== null && asset === assetOf(destination, outputToken) ? 'BRIDGE' : 'CROSS_CHAIN_SWAP',
    executionStatus: executionStatusOfOrder(order),
    bridge: {
      source: amountOf(originChainId, sourceToken, order.sourceAmount),
      dest:
        arrivedToken === null || arrivedAmount === null
          ? amountOf(destinationChainId, outputToken, order.expectedOutput)
          : amountOf(arrivalChainId, arrivedToken, arrivedAmount),
      outputRecipient: getAddress(order.outputRecipient),
      isOwnRecipient,
      bridgeStatus: order.status,
      destTxHash: order.fillTx,
      refundTxHash: order.refundTx,
      // A chain that is no longer configured has no name.
      destChainName: arrivalChain?.name ?? String(arrivalChainId),
      destExplorerTxUrlBase: arrivalChain ? explorerTxUrlBase(arrivalChain) : null,
      estimatedFillTimeMs: order.estimatedFillMs,
      refundEligibleAt: isOwed(order) ? new Date(order.fillDeadline * 1_000) : null,
    },
  }
}

const isOwed = ({ status, fillTx }: OrderSummary) =>
  fillTx === null && status !== 'refunded' && status !== 'failed'

const arrivalChainOf = (order: OrderSummary) =>
  order.status === 'refunded' ? order.originChainId : order.destinationChainId

/** Returns the bridge's name of a token's asset; the native coin counts as its wrapped form. Null if no bridge carries it. */
function assetOf(chain: OrderChain | undefined, token: `0x${string}`): string | null {
  const carried = token === zeroAddress ? chain?.wrappedNative : token
  if (!chain || carried === undefined) return null
  return chain.venues.across?.tokens.find((one) => isAddressEqual(one.token, carried))?.asset ?? null
}
