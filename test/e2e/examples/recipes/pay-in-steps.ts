import { askQuote, signQuote, submitSigned, type Client } from 'stealth-relay/client'
import { zeroAddress, type Address } from 'viem'

export async function payInSteps(
  client: Client,
  terms: { chainId: number; amount: bigint; destination: Address },
  agrees: (fee: bigint) => Promise<boolean>,
) {
  // The quote reserves funds; a payment that the user drops gives them back.
  const asked = { type: 'send', token: zeroAddress, ...terms } as const
  const quote = await askQuote(client, asked)
  const fee = BigInt(quote.fees.total)
  if (!(await agrees(fee))) {
    await client.call('unlockQuote', { body: { quoteId: quote.quoteId } })
    return null
  }
  // `signQuote` is the only way to a signature, and it checks the quote first.
  const signed = await signQuote(client, quote, { ...asked, maxFee: fee })
  return submitSigned(client, signed)
}
