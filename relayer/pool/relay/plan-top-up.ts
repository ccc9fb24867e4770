import type { NativePrice } from '../../market/prices/price-native.ts'

/**
 * What decides how much native coin extraGas gives: prices in wei per gas, `withdrawn` in the asset's smallest
 * unit.
 */
export interface TopUpInput {
  gasPrice: bigint
  relayGas: bigint
  topUpGas: bigint
  /** Gas units whose price the recipient is to get. */
  fundGas: bigint
  withdrawn: bigint
  relayFeeBps: bigint
  baseFeeBps: bigint
  price: NativePrice
}

/**
 * Wei that extraGas gives to the recipient: the price of `fundGas` now, but never more than the fee already covers
 * after the base fee and the gas of the transaction itself. Zero when nothing is left.
 */
export function planTopUp(input: TopUpInput): bigint {
  const paidForGas = (input.withdrawn * (input.relayFeeBps - input.baseFeeBps)) / 10_000n
  const covered = input.price.toWei(paidForGas) - (input.relayGas + input.topUpGas) * input.gasPrice
  const wanted = input.fundGas * input.gasPrice
  const value = wanted < covered ? wanted : covered
  return value > 0n ? value : 0n
}
