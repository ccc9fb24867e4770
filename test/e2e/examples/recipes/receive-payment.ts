import type { Client } from 'stealth-relay/client'

export async function receivePayment(client: Client) {
  // One address for each payer, good on every chain; refused unless your keys control it.
  const { address, nonce } = await client.receive()
  const account = client.controlOf(nonce)
  return { address, account }
}
