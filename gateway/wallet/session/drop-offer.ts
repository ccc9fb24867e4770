import type { Client, Quote } from 'stealth-relay/client'

/** Gives the reserved money back. An order that is under way stays. */
export async function dropOffer(
  client: Client,
  { quote: { quoteId } }: { quote: Pick<Quote, 'quoteId'> },
): Promise<void> {
  await client.call('unlockQuote', { body: { quoteId } }).catch(() => undefined)
}
