import { setTimeout as delay } from 'node:timers/promises'
import { getAddress, type Address, zeroAddress } from 'viem'
import type { z } from 'zod'
import type { quote } from '../../../../schema/transact/quote-model.ts'
import { call } from '../../../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openAccount, textOf } from '../../account/open-account.ts'

export type WireQuote = z.input<typeof quote>

export interface Answer<Body = Record<string, unknown>> {
  status: number
  body: Body
}

/** An account that requests quotes over HTTP. */
export interface Sender {
  accountId: string
  /** Sends a request with the token. */
  headers: Record<string, string>
  /** A fresh address of the account that holds this amount of a token (zero address: the native coin). */
  receive(token: Address, amount: bigint): Promise<Address>
  /** The same for many amounts; waits until the service has indexed all of them. */
  receiveAll(token: Address, amounts: readonly bigint[]): Promise<Address[]>
  post<Body = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>
  put(path: string, body: unknown): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Requests a quote of a send; `changes` go into the body. */
  quote(changes: Record<string, unknown>): Promise<Answer<WireQuote>>
  /** Signs a text with the spending key. */
  sign(text: string): Promise<string>
}

/** The service must run with OWN_LIMITS, as startSendingService has it. */
export async function openSender(service: TestService, payer?: Payer): Promise<Sender> {
  const rich = payer ?? (await openPayer(service, 5))
  const { chainId } = rich.chain
  const { accountId, headers, path: home, wallet } = await openAccount(service.url)

  async function ask(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const { status, json } = await call(`${service.url}${home}${path}`, {
      method,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body }),
    })
    return { status, body: json as never }
  }

  async function hasSeen(token: Address, address: Address, amount: bigint): Promise<boolean> {
    const { status, body } = await ask(
      'GET',
      `/address-balances?address=${address}&chainId=${chainId}&token=${token}`,
    )
    // A busy service may refuse a request; the next poll asks again.
    if (status !== 200) return false
    const [held] = (body as { addresses: { balances: { amount: string }[] }[] }).addresses
    return held?.balances[0]?.amount === String(amount)
  }

  async function receiveAll(token: Address, amounts: readonly bigint[]): Promise<Address[]> {
    const addresses: Address[] = []
    for (const amount of amounts) {
      const issued = await call(`${service.url}${home}/payment-address`, {
        method: 'POST',
        headers,
        body: {},
      })
      const address = getAddress(textOf(issued, 'address'))
      addresses.push(address)
      if (token === zeroAddress) await rich.payNative(address, amount)
      else await rich.payToken(token, address, amount)
    }
    for (const [index, address] of addresses.entries()) {
      const deadline = Date.now() + 120_000
      while (!(await hasSeen(token, address, amounts[index] ?? 0n))) {
        if (Date.now() > deadline) throw new Error('the service does not see what was paid')
        await delay(25)
      }
    }
    // The origin of funds is known once the past of their addresses is.
    await waitUntilIndexed(service, rich)
    return addresses
  }

  return {
    accountId,
    headers,
    receiveAll,
    async receive(token, amount) {
      const [address] = await receiveAll(token, [amount])
      if (!address) throw new Error('no address')
      return address
    },
    post: (path, body, more) => ask('POST', path, body ?? {}, more),
    put: (path, body) => ask('PUT', path, body),
    get: (path) => ask('GET', path),
    quote: (changes) => ask('POST', '/quote', { type: 'send', chainId, ...changes }),
    sign: (text) => wallet.sign(text),
  }
}
