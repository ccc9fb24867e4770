import { z } from 'zod'
import { address, amount } from '../define/scalars.ts'
import { described } from '../define/shape.ts'

const usd = z.number().nullable()

/** Members of an exchange of one token for another: a swap, or a transfer to another chain. */
export const exchange = {
  sourceTokenAddress: described(address, 'Contract of the token given; the zero address is the native coin.'),
  sourceDecimals: described(z.int(), 'Decimals of the token given.'),
  sourceTokenSymbol: described(z.string(), 'Symbol of the token given; empty where nobody tells one.'),
  sourceLogoUrl: described(z.string().nullable(), 'URL of a picture of the token given; null without one.'),
  sourceAmount: described(amount, 'Amount given, in the smallest unit.'),
  sourceUsdAmount: described(
    usd,
    'Value of the amount given in US dollars at the present price; null without a price.',
  ),
  destTokenAddress: described(
    address,
    'Contract of the token received; the zero address is the native coin.',
  ),
  destTokenSymbol: described(z.string(), 'Symbol of the token received; empty where nobody tells one.'),
  destDecimals: described(z.int(), 'Decimals of the token received.'),
  destLogoUrl: described(z.string().nullable(), 'URL of a picture of the token received; null without one.'),
  destAmount: described(amount, 'Amount received, in the smallest unit.'),
  destUsdAmount: described(
    usd,
    'Value of the amount received in US dollars at the present price; null without a price.',
  ),
  outputRecipient: described(address, 'Address that the received token went to.'),
  outputRecipientIsOwnAddress: described(
    z.boolean(),
    'True when the recipient is one of the account’s own addresses.',
  ),
}
