import { setTimeout as delay } from 'node:timers/promises'
import { getAddress, zeroAddress, type Address, type PrivateKeyAccount } from 'viem'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openNewClient } from '../../../e2e/examples/client.ts'
import type { quote } from '../../../../schema/transact/model.ts'
import type { z } from 'zod'

export type WireQuote = z.input<typeof quote>

export interface Answer<Body = Record<string, unknown>> {
  status: number
  body: Body
}

/** Somebody with an account who sends over HTTP, as the example client does. */
export interface Sender {
  accountId: string
  /** A fresh address of the account's, holding so much of a token (the native coin by the zero address). */
  receive(token: Address, amount: bigint): Promise<Address>
  /** The same for many amounts; waits until the service has seen them all. */
  receiveAll(token: Address, amounts: readonly bigint[]): Promise<Address[]>
  controlOf(address: Address): PrivateKeyAccount
  post<Body = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>
  get(path: string): Promise<Answer>
  /** Asks for a quote of a send; `changes` go into the body. */
  quote(changes: Record<string, unknown>): Promise<Answer<WireQuote>>
}

export async function openSender(service: TestService, payer?: Payer): Promise<Sender> {
  const rich = payer ?? (await openPayer(service, 5))
  const { chainId } = rich.chain
  const client = await openNewClient({ url: service.url })
  const { accountId } = client
  const nonces = new Map<Address, string>()

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(`${service.url}/v1/accounts/${accountId}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}`, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as never }
  }

  async function receiveAll(token: Address, amounts: readonly bigint[]): Promise<Address[]> {
    const addresses: Address[] = []
    for (const amount of amounts) {
      const { address, nonce } = await client.receive()
      nonces.set(getAddress(address), nonce)
      addresses.push(getAddress(address))
      if (amount === 0n) continue
      await (token === zeroAddress ? rich.payNative(address, amount) : rich.payToken(token, address, amount))
    }
    for (const [index, address] of addresses.entries()) {
      const amount = amounts[index] ?? 0n
      if (amount === 0n) continue
      for (let tries = 0; ; tries += 1) {
        const path = `/address-balances?address=${address}&chainId=${chainId}&token=${token}`
        const { body } = await ask('GET', path)
        const [held] = (body as { addresses: { balances: { amount: string }[] }[] }).addresses
        if (held?.balances[0]?.amount === String(amount)) break
        if (tries > 200) throw new Error('the service does not see what was paid')
        await delay(50)
      }
    }
    return addresses
  }

  return {
    accountId,
    receiveAll,
    async receive(token, amount) {
      const [address] = await receiveAll(token, [amount])
      if (!address) throw new Error('no address')
      return address
    },
    controlOf: (address) => client.controlOf(nonces.get(address) ?? ''),
    post: (path, body, headers) => ask('POST', path, body ?? {}, headers),
    get: (path) => ask('GET', path),
    quote: (changes) => ask('POST', '/quote', { type: 'send', chainId, ...changes }),
  }
}
