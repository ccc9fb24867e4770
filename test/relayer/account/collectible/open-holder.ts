import { createWalletClient, http, parseEther, type Address, type Hash } from 'viem'
import { expect } from 'vitest'
import { erc721Abi } from 'viem'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../schema/client/quotes/send.ts'
import { signUnchecked } from '../../../harness/sign-unchecked.ts'
import { call } from '../../../harness/call.ts'
import { waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  body: Body
}

/** The fields of a withdrawal's answer that these tests check. */
export type WithdrawalQuote = Quote & {
  signature: string
  depositAddress: Address
  recipientAddress: Address
  tokenId: string
  code?: string
  error?: string
}

export interface CollectibleState {
  active: boolean
  deposits: { tokenId: string; imageUrl: string | null; depositAddress: Address }[]
}

/** A holder of collectibles with an account, who does everything over HTTP. */
export interface Holder {
  client: Client
  /** A fresh address; the nonce is that of its key. */
  receive(): Promise<{ address: Address; nonce: string }>
  /** A fresh address to which a new collectible was minted; waits until the service has seen it. */
  mint(contract: Address, id: bigint): Promise<Address>
  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>
  post<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<Answer<Body>>
  verify(): Promise<CollectibleState>
  withdraw(body: Record<string, unknown>): Promise<Answer<WithdrawalQuote>>
  /** Signs and submits. */
  submit(quote: Quote): Promise<Answer>
  /** Waits until a quote has this end. */
  until(quoteId: string, status: 'confirmed' | 'failed'): Promise<void>
  /** Sends a collectible on by a transaction of its own, paid by itself. */
  moveOn(contract: Address, from: { address: Address; nonce: string }, to: Address, id: bigint): Promise<Hash>
}

export async function openHolder(service: TestService, payer: Payer): Promise<Holder> {
  const client = await openNewClient({ url: service.url })
  const home = `/v1/accounts/${client.accountId}`
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await call(`${service.url}${home}${path}`, {
      method,
      headers: { authorization: `Bearer ${client.token}` },
      ...(body !== undefined && { body }),
    })
    return { status, body: json as never }
  }
  const { reader } = payer.wallet

  return {
    client,
    receive: () => client.receive(),
    async mint(contract, id) {
      const { address } = await client.receive()
      await payer.mintCollectible(contract, address, id)
      await waitUntilIndexed(service, payer)
      return address
    },
    get: (path) => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    async verify() {
      const { status, body } = await ask('POST', '/collectible/verify', {})
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    },
    withdraw: (body) => ask('POST', '/collectible/withdraw', body),
    submit: async (quote) => ask('POST', '/submit', await signUnchecked(client, quote)),
    async until(quoteId, wanted) {
      await expect
        .poll(
          async () => ((await ask('GET', `/relay-status/${quoteId}`)).body as { status: string }).status,
          {
            timeout: 60_000,
          },
        )
        .toBe(wanted)
    },
    async moveOn(contract, from, to, id) {
      await payer.payNative(from.address, parseEther('0.1'))
      const sender = createWalletClient({
        account: client.controlOf(from.nonce),
        chain: reader.chain,
        transport: http(payer.chain.rpcUrl),
      })
      const hash = await sender.writeContract({
        address: contract,
        abi: erc721Abi,
        functionName: 'transferFrom',
        args: [from.address, to, id],
      })
      await reader.waitForTransactionReceipt({ hash })
      await waitUntilIndexed(service, payer)
      return hash
    },
  }
}
