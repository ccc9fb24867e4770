import { decodeAbiParameters, parseAbiParameters, type Address, type Hex } from 'viem'
import { hashAuthorization } from 'viem/utils'
import type { Sender, WireQuote } from '../quotes/sender.ts'

/** A quote as a wallet gives it back: each intent and delegation as it was, with its signature. */
export async function signQuote(sender: Pick<Sender, 'controlOf'>, quote: WireQuote) {
  const intents = await Promise.all(
    quote.intents.map(async (intent) => {
      const { domain, types, primaryType, ...fields } = intent as typeof intent & {
        domain: Record<string, unknown>
        types: Record<string, { name: string; type: string }[]>
        primaryType: string
      }
      const message = { ...fields, multichain: false, calls: decodeWire(fields.executionData as Hex) }
      const signature = await sender
        .controlOf(fields.eoa as Address)
        .signTypedData({ domain, types, primaryType, message } as never)
      return { ...intent, signature }
    }),
  )
  const delegations = await Promise.all(
    quote.delegations.map(async (delegation) => {
      const hash = hashAuthorization({
        contractAddress: delegation.contractAddress as Address,
        chainId: delegation.chainId,
        nonce: delegation.authorizationNonce,
      })
      return {
        ...delegation,
        signature: await sender.controlOf(delegation.address as Address).sign({ hash }),
      }
    }),
  )
  return { quoteId: quote.quoteId, intents, delegations }
}

/** A wallet decodes what it signs by itself. */
function decodeWire(executionData: Hex) {
  const parameters = parseAbiParameters('(address to, uint256 value, bytes data)[]')
  return decodeAbiParameters(parameters, executionData)[0]
}
