import { send, type Client } from 'stealth-relay/client'
import { zeroAddress, type Address } from 'viem'

export async function pay(client: Client, chainId: number, destination: Address, amount: bigint) {
  // Quote, every check, signature, submission, and following it to its end. The zero address is the native coin.
  const terms = { chainId, token: zeroAddress, amount, destination, maxFee: amount / 10n }
  const { quote, txHash } = await send(client, terms)
  return { fee: quote.fees.total, txHash }
}
