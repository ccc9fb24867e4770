import { askQuote, isRefusal, type Client } from 'stealth-relay/client'
import { zeroAddress, type Address } from 'viem'

export async function explainRefusal(client: Client, chainId: number, destination: Address) {
  try {
    await askQuote(client, { chainId, token: zeroAddress, amount: 10n ** 30n, destination })
  } catch (error) {
    // The code narrows the other members; `retry` is what the error declares.
    if (!isRefusal(error, 'INSUFFICIENT_BALANCE')) throw error
    return { have: error.body.available, retry: error.retry }
  }
  return null
}
