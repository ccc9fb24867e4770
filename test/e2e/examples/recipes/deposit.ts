import type { Client } from 'stealth-relay/client'
import { convert, waitForNotes, type PoolView } from 'stealth-relay/client/pool'

export async function deposit(client: Client, view: PoolView, amount: bigint) {
  // In steps: `askConversion`, `signPoolQuote` and `submitSigned`, as for a payment.
  const { quote } = await convert(client, { view, amount, maxFee: amount / 10n })
  // The association set provider reviews a deposit, which may take hours. Then its note can be spent.
  const notes = await waitForNotes(client, view, (found) => found.some(({ isApproved }) => isApproved))
  return { fees: quote.fees, notes }
}
