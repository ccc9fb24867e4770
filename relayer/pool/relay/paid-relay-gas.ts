import { extraFeeOf, type SendingPrice, type TransactionSize } from '../../chain/nodes/sending-price.ts'

/** Bytes of a relay's transaction without its signature: 772 of calldata and the rest. */
export const RELAY_BYTES = 880
/** Bytes that a multicall with a top-up adds. */
const TOP_UP_BYTES = 480

/** Gas that the fee of a relay pays for. */
export interface PaidRelayGas {
  relay: bigint
  /** The additional gas of a top-up. */
  topUp: bigint
}

/**
 * Returns the gas of a relay, and of its top-up, with the chain's additional charges. The charges are converted to
 * gas, rounded up, because published clients recompute the relayFee from gas and gas price alone.
 */
export function paidRelayGas(
  { gasPrice, extra }: SendingPrice,
  { relay, topUp }: PaidRelayGas,
): PaidRelayGas {
  // At a gas price of zero no gas would pay for it.
  const toGas = (wei: bigint) => (gasPrice === 0n ? 0n : (wei + gasPrice - 1n) / gasPrice)
  const feeOf = (size: TransactionSize) => extraFeeOf(extra, size)
  const plain = feeOf({ gas: relay, bytes: RELAY_BYTES })
  const together = feeOf({ gas: relay + topUp, bytes: RELAY_BYTES + TOP_UP_BYTES })
  return { relay: relay + toGas(plain), topUp: topUp + toGas(together - plain) }
}
