import type { DatabaseTransactionConnection } from 'slonik'
import { zeroAddress } from 'viem'
import { insertSendGas, listBatchedQuotes } from '../../../db/transact/send-ledger.ts'

/**
 * Shares an amount by weights. The shares add up exactly; units lost by rounding go to later ones. Equal shares if no
 * weight is above 0. Exported for its test, a property over random weights.
 */
export function shareByWeight(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n && weights.length > 0)
    return shareByWeight(
      amount,
      weights.map(() => 1n),
    )
  let before = 0n
  return weights.map((weight) => {
    const after = before + weight
    const share = (amount * after) / whole - (amount * before) / whole
    before = after
    return share
  })
}

/**
 * Books the cost of a batch's transaction: its quotes share the receipt's fee by their expected gas. Call it in the
 * database transaction that settles the batch, after its intents have ended and before others leave the batch.
 *
 * @param batch With the hash and the fee of its transaction, in wei.
 * @throws UniqueIntegrityConstraintViolationError when it is booked already.
 */
export async function bookBatchGas(
  transaction: DatabaseTransactionConnection,
  batch: { id: string; chainId: number; hash: string; fee: bigint },
): Promise<void> {
  const quotes = await listBatchedQuotes(transaction, batch.id, batch.hash)
  // The quotes were erased with their accounts; the gas is booked all the same.
  if (quotes.length === 0)
    return insertSendGas(transaction, batch.id, [
      { chainId: batch.chainId, token: zeroAddress, gasSpent: batch.fee, executed: false },
    ])
  const shares = shareByWeight(
    batch.fee,
    quotes.map(({ gas }) => gas),
  )
  await insertSendGas(
    transaction,
    batch.id,
    quotes.map(({ chainId, token, executed }, place) => ({
      chainId,
      token,
      gasSpent: shares[place] ?? 0n,
      executed,
    })),
  )
}
