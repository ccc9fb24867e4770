import { getAddress, zeroAddress, type Address } from 'viem'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../schema/client/quotes/send.ts'
import { knownOf } from '../../../e2e/examples/demo/known-of.ts'
import { signUnchecked } from '../../../harness/sign-unchecked.ts'
import { call } from '../../../harness/call.ts'
import { waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'

export interface Answer {
  status: number
  body: never
}

/** An account with its keys that sends over HTTP. */
export interface WalletSender {
  client: Client
  /** Fresh addresses that hold these amounts of a token; waits until the service has indexed them. */
  receiveAll(token: Address, amounts: readonly bigint[]): Promise<Address[]>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** @throws Error with the service's words where it refuses. */
  quote(body: Record<string, unknown>): Promise<Quote>
  sign(quote: Quote): ReturnType<typeof signUnchecked>
}

export async function openWalletSender(
  service: Pick<TestService, 'url' | 'database'>,
  payer: Payer,
  chains: readonly Payer['chain'][] = [payer.chain],
  headers: Record<string, string> = {},
): Promise<WalletSender> {
  const client = await openNewClient({ url: service.url, chains: chains.map(knownOf), headers })
  const home = `/v1/accounts/${client.accountId}`
  const { chainId } = payer.chain

  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer> => {
    const { status, json } = await call(`${service.url}${home}${path}`, {
      method,
      headers: { authorization: `Bearer ${client.token}`, ...more },
      ...(body !== undefined && { body }),
    })
    return { status, body: json as never }
  }

  return {
    client,
    async receiveAll(token, amounts) {
      const addresses: Address[] = []
      for (const amount of amounts) {
        const address = getAddress((await client.receive()).address)
        addresses.push(address)
        if (amount === 0n) continue
        await (token === zeroAddress
          ? payer.payNative(address, amount)
          : payer.payToken(token, address, amount))
      }
      await waitUntilIndexed(service, payer)
      return addresses
    },
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers),
    quote: (body) => client.ask<Quote>('POST', `${home}/quote`, { type: 'send', chainId, ...body }),
    sign: (quote) => signUnchecked(client, quote),
  }
}
