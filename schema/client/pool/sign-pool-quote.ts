// SPDX-License-Identifier: MIT
import type { Client } from '../account/open-client.ts'
import type { Quote } from '../quotes/send.ts'
import { signOrders, type Submission } from '../quotes/sign-orders.ts'
import { checkConversion } from './check-conversion.ts'
import type { ConversionQuote, ConvertOptions } from './convert.ts'
import { checkRecovery, type RecoverQuote } from './recover.ts'

/** The wallet's own request to a pool. Reported spends need no signature: `spendTold` checks their quotes. */
export type AskedPoolQuote =
  | ({ type: 'pool_deposit' } & ConvertOptions)
  | ({ type: 'pool_recover' } & Parameters<typeof checkRecovery>[2])

/**
 * Checks the quote of a deposit into a pool, or of a recovery, against the request, and signs it.
 * @returns The body of `submit`.
 * @throws Error that names the first check that failed.
 */
export async function signPoolQuote(
  client: Client,
  quote: Quote,
  asked: AskedPoolQuote,
): Promise<Submission> {
  const approved =
    asked.type === 'pool_deposit'
      ? await checkConversion(client, quote as ConversionQuote, asked)
      : await checkRecovery(client, quote as RecoverQuote, asked)
  return signOrders(approved)
}
