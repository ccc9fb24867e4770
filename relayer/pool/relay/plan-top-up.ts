import type { NativePrice } from '../../market/prices/price-native.ts'

/** The inputs for the native coin that extraGas gives: prices in wei per gas, `withdrawn` in the asset's smallest unit. */
export interface TopUpInput {
  gasPrice: bigint
  relayGas: bigint
  topUpGas: bigint
  /** Gas units whose price the recipient gets. */
  fundGas: bigint
  withdrawn: bigint
  relayFeeBps: bigint
  baseFeeBps: bigint
  price: NativePrice
}

/**
 * Returns the wei that extraGas gives to the recipient: the present price of `fundGas`. It is capped by the fee minus
 * the base fee and the transaction's own gas; never below zero.
 */
export function planTopUp(input: TopUpInput): bigint {
  const paidForGas = (input.withdrawn * (input.relayFeeBps - input.baseFeeBps)) / 10_000n
  const covered = input.price.toWei(paidForGas) - (input.relayGas + input.topUpGas) * input.gasPrice
  const wanted = input.fundGas * input.gasPrice
  const value = wanted < covered ? wanted : covered
  return value > 0n ? value : 0n
}
