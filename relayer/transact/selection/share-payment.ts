import type { Input } from './select-funds.ts'

/** Payments of one address to the recipient and to the service; their sum leaves the address. */
export interface Share {
  input: Input
  toRecipient: bigint
  /** Its own network fee and a part of the service fee. */
  toService: bigint
}

/**
 * Splits a payment over its inputs. Each pays its own network fee and a share of the service fee in proportion to its
 * contribution; the shares add up exactly.
 */
export function sharePayment(inputs: readonly Input[], serviceFee: bigint): Share[] {
  const need = inputs.reduce((sum, { taken, cost }) => sum + taken - cost, 0n)
  let before = 0n
  return inputs.map((input) => {
    const contributed = input.taken - input.cost
    const after = before + contributed
    // If only gas is paid, there is nothing to split.
    const service = need === 0n ? 0n : (serviceFee * after) / need - (serviceFee * before) / need
    before = after
    return { input, toRecipient: contributed - service, toService: input.cost + service }
  })
}
