import { serializeSignature, type Hex } from 'viem'
import type { Client } from '../../schema/client/account/open-client.ts'
import { decodeCalls } from '../../schema/client/chain/decode-call.ts'
import { waitUntilConfirmed, type Quote } from '../../schema/client/quotes/send.ts'

/**
 * The body of `submit`, which signs every order of the quote unchecked, as no wallet may. For tests of the service, which
 * also submit orders that an honest wallet refuses.
 */
export async function signUnchecked(
  client: Pick<Client, 'controlOf'>,
  { quoteId, intents, delegations }: Pick<Quote, 'quoteId' | 'intents' | 'delegations'>,
) {
  return {
    quoteId,
    intents: await Promise.all(
      intents.map(async (intent) => {
        const { domain, types, executionData, isMultichain, derivationNonce } = intent
        const message = { ...intent, multichain: isMultichain, calls: decodeCalls(executionData) }
        const account = client.controlOf(derivationNonce)
        const signature = await account.signTypedData({ domain, types, primaryType: 'Intent', message })
        return { ...intent, signature }
      }),
    ),
    delegations: await Promise.all(
      delegations.map(async (delegation) => {
        const { chainId, contractAddress, derivationNonce, authorizationNonce: nonce } = delegation
        const account = client.controlOf(String(derivationNonce))
        const { r, s, yParity } = await account.signAuthorization({ chainId, contractAddress, nonce })
        return { ...delegation, signature: serializeSignature({ r, s, yParity: yParity ?? 0 }) }
      }),
    ),
  }
}

/** The same, submitted and followed to its end. @returns The transaction that confirmed it. */
export async function submitUnchecked(client: Client, quote: Quote): Promise<Hex> {
  const signed = await signUnchecked(client, quote)
  await client.ask('POST', `/v1/accounts/${client.accountId}/submit`, signed)
  return waitUntilConfirmed(client, quote.quoteId, () => {})
}
