import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, type Address, type Hash } from 'viem'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { knownOf } from '../../test/e2e/examples/demo/known-of.ts'
import { connectWallet } from '../../test/devnet/wallet/connect-wallet.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'

/** In the token's smallest unit, times the address's place. */
const AMOUNT = 10_000_000n

let clients = 0

/** Opens a client with an account of `addresses` addresses, each holding `amount` of the token times its place. */
export async function openFundedClient(
  url: string,
  chain: DescribedChain,
  token: Address,
  addresses: number,
  amount = AMOUNT,
): Promise<Client> {
  const account = chain.accounts[4]
  if (!account) throw new Error('the devnet has too few accounts')
  const { sender, reader } = connectWallet(chain, account.privateKey)
  // A network of its own: sign-ins are limited by network, and the service trusts one proxy.
  clients += 1
  const client = await openNewClient({
    url,
    headers: { 'x-forwarded-for': `10.0.2.${clients}` },
    idempotencyKeys: false,
    chains: [knownOf(chain)],
  })
  let last: Hash = '0x'
  for (let place = 1; place <= addresses; place += 1) {
    const { address } = await client.receive()
    const call = { address: token, abi: erc20Abi, functionName: 'transfer' } as const
    last = await sender.writeContract({ ...call, args: [address, amount * BigInt(place)] })
  }
  await reader.waitForTransactionReceipt({ hash: last })
  for (let tries = 0; tries < 100; tries += 1) {
    const held = await client.ask<{ addresses: unknown[] }>(
      'GET',
      `/v1/accounts/${client.accountId}/funded-addresses`,
    )
    if (held.addresses.length === addresses) return client
    await sleep(1_000)
  }
  throw new Error('the service does not see what was paid')
}
