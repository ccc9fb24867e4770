/**
 * From nothing to a payment: the README quotes this.
 */
import { zeroAddress, type Address, type Hex } from 'viem'
import { openClient } from '../../../schema/client/account/open-client.ts'
import type { KnownChain } from '../../../schema/client/chain/known-chain.ts'
import { saveContact } from '../../../schema/client/account/save-contact.ts'
import { send } from '../../../schema/client/quotes/send.ts'

export interface FirstSteps {
  url: string
  spendKey: Hex
  viewKey: Hex
  /** The wallet's own record of the chain: it never comes from the service. */
  chain: KnownChain
  friend: Address
  /** In wei. */
  amount: bigint
  /** The highest fee to accept, in wei. */
  maxFee: bigint
  /** Pays the address, and waits until the service has seen the payment. */
  pay: (address: Address) => Promise<void>
}

export async function takeFirstSteps(given: FirstSteps): Promise<{ paid: string; left: string }> {
  const { url, spendKey, viewKey, chain, friend, amount, maxFee, pay } = given
  const { chainId } = chain
  // Sign in with Ethereum, by the spending key; an account is created where there is none.
  const client = await openClient({ url, spendKey, viewKey, chains: [chain] })

  // Every payer gets an address of their own. Its key comes from yours and never leaves you.
  const { address, nonce } = await client.receive()
  const account = client.controlOf(nonce) // a viem account: account.address === address
  await pay(address)

  // Any document of the GraphQL API. `stealth-relay-client/schema` gives its types, with gql.tada.
  const document = `{ viewer { account { balances { nodes { chainId tokenAddress available } } } } }`
  const { balances } = (await client.graphql<Home>(document)).viewer.account

  // Quote, check, sign, submit, follow. The service pays the gas and takes its fee from the sent funds.
  await saveContact(client, friend, 'Alice')
  const payment = { chainId, token: zeroAddress, amount, destination: friend, maxFee }
  const { quote, txHash } = await send(client, payment)

  if (account.address !== address || !txHash) throw new Error('that cannot be')
  const held = BigInt(balances.nodes[0]?.available ?? 0)
  return { paid: String(held), left: String(held - BigInt(quote.amountIn)) }
}

interface Home {
  viewer: {
    account: { balances: { nodes: { chainId: number; tokenAddress: Address; available: string }[] } }
  }
}
