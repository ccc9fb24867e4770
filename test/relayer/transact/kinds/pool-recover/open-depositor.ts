import { createWalletClient, http, parseEther, zeroAddress, type Address, type Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { expect } from 'vitest'
import { NATIVE_ASSET } from '../../../../../relayer/chain/nodes/config.ts'
import { connectWallet } from '../../../../devnet/wallet/connect-wallet.ts'
import { deposit } from '../../../../devnet/wallet/deposit.ts'
import type { Note } from '../../../../../schema/client/pool/note.ts'
import { openNewClient, type Client } from '../../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../../schema/client/quotes/send.ts'
import { signUnchecked } from '../../../../harness/sign-unchecked.ts'
import { call } from '../../../../harness/call.ts'
import { waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../harness/start-service.ts'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  body: Body
}

/** A note with the account's address that deposited it. */
export interface OwnNote {
  note: Note
  address: Address
  pool: Address
}

/** A depositor with an account, who deposits from its addresses, and takes deposits back over HTTP. */
export interface Depositor {
  client: Client
  /** Deposits from a fresh address, by its own transaction; waits until the service has seen it. */
  deposit(asset: Address, gross: bigint): Promise<OwnNote>
  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>
  post<Body = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<Body>>
  put<Body = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<Body>>
  prepare(body: Record<string, unknown>): Promise<Answer<RecoverQuote>>
  refresh(quoteId: string): Promise<Answer<RecoverQuote>>
  /** Signs and submits. */
  submit(quote: RecoverQuote): Promise<Answer>
}

/** The fields of the answer that these tests check. */
export type RecoverQuote = Quote & {
  kind: string
  poolAddress: Address
  commitmentId: string
  signature: Hex
  fees: { network: string; service: string; total: string }
  code?: string
  error?: string
}

export async function openDepositor(service: TestService, payer: Payer): Promise<Depositor> {
  const client = await openNewClient({ url: service.url })
  const home = `/v1/accounts/${client.accountId}`
  const ask = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const { status, json } = await call(`${service.url}${home}${path}`, {
      method,
      headers: { authorization: `Bearer ${client.token}`, ...more },
      ...(body !== undefined && { body }),
    })
    return { status, body: json as never }
  }
  const wallet = connectWallet(payer.chain, generatePrivateKey())

  return {
    client,
    async deposit(asset, gross) {
      const { address, nonce } = await client.receive()
      const account = client.controlOf(nonce)
      const isNative = asset === NATIVE_ASSET
      await payer.payNative(address, isNative ? gross + parseEther('0.1') : parseEther('0.1'))
      if (!isNative) await payer.payToken(asset, address, gross)
      const transport = http(payer.chain.rpcUrl)
      const sender = createWalletClient({ account, chain: wallet.reader.chain, transport })
      const { pool } = payer.chain.pools.find((one) => one.asset === asset)!
      const { note } = await deposit(
        { ...wallet, account, sender },
        { entrypoint: payer.chain.entrypoint, asset, pool, gross },
      )
      await waitUntilIndexed(service, payer)
      return { note, address, pool }
    },
    get: (path) => ask('GET', path),
    refresh: (quoteId) =>
      ask('POST', `/quotes/${quoteId}/refresh`, {}, { 'idempotency-key': crypto.randomUUID() }),
    post: (path, body) => ask('POST', path, body),
    put: (path, body) => ask('PUT', path, body),
    prepare: (body) => ask('POST', '/pool-recover/prepare', body),
    submit: async (quote) => ask('POST', '/submit', await signUnchecked(client, quote)),
  }
}

/** As holdings name an asset of the pools. */
export const tokenOf = (asset: Address) => (asset === NATIVE_ASSET ? zeroAddress : asset)

export const untilConfirmed = (who: Depositor, quoteId: string) =>
  expect
    .poll(async () => (await who.get<{ status: string }>(`/relay-status/${quoteId}`)).body.status, {
      timeout: 60_000,
    })
    .toBe('confirmed')

export const tiersOf = async (who: Depositor, token: Address) => {
  const { body } = await who.get<{
    balances: { token: Address; visible: object; incognito: { pooled: Record<string, string> } }[]
  }>('/balance')
  return body.balances.find((one) => one.token === token)
}
