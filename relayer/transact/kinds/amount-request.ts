import type { Address } from 'viem'
import { badRequest } from '../../errors.ts'
import { decimalsMismatch } from '../errors.ts'

/** Members of requests to spend an amount of a token, or all of it. */
export interface AmountRequest {
  /** The zero address is the native coin. */
  token: Address
  /** Smallest unit; ignored with `maxSend`. */
  amount?: bigint | undefined
  /** Spends everything. */
  maxSend?: boolean | undefined
  /** Decimals of the token as the client knows them. */
  decimals?: number | undefined
}

/**
 * Returns the requested amount, above zero; `max` for everything.
 * @throws ServiceError `bad-request` BAD_REQUEST without one.
 */
export function amountOf({ amount, maxSend = false }: AmountRequest): bigint | 'max' {
  if (maxSend) return 'max'
  if (amount === undefined) throw badRequest('amount: expected an amount, or maxSend')
  if (amount <= 0n) throw badRequest('amount: expected more than zero')
  return amount
}

/** Refuses other decimals than the token's: the client's amount would differ from the one that its user sees. */
export function demandDecimals(given: number | undefined, decimals: number): void {
  if (given !== undefined && given !== decimals)
    throw decimalsMismatch(`decimals: the token has ${decimals}, not ${given}`)
}
