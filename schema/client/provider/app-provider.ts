// SPDX-License-Identifier: MIT
/**
 * How a wallet lets a web page (an app) use an account: a provider by EIP-1193 and EIP-5792. The app gets a one-time
 * address of its own, never that of another app. Its calls become one quote, which the wallet checks against the app's
 * request before it signs. The key of that address signs messages. {@link announceProvider} is the part that runs in
 * the page.
 */
import type { AppAnswer } from './announce-provider.ts'
import { demandSafeMessage, readTypedData, type AppTypedData } from './check-app-signature.ts'
import { demandOwn, type Client } from '../account/open-client.ts'
import type { KnownChain } from '../chain/known-chain.ts'
import { createCallsOffer, type CallsPrice } from './offer-calls.ts'
import { fail, hideCause, ProviderError } from './provider-error.ts'
import {
  readAddress,
  readBatch,
  readBytes,
  readChainId,
  readObject,
  readTransaction,
} from './read-app-request.ts'
import { askNode, readBatchReceipt, READS } from './read-app-chain.ts'
import type { Call } from '../chain/read-canonical-calls.ts'
import { isOfAccount } from '../quotes/read-orders.ts'
import { waitUntilConfirmed } from '../quotes/send.ts'
import { signOrders, type Approved } from '../quotes/sign-orders.ts'
import { isAddressEqual, numberToHex, type Address, type Hex } from 'viem'

/** A chain as the wallet knows it. */
export interface AppChain extends KnownChain {
  /** The node that the wallet chose: it reads for the app. Without it the app reads by a node of its own. */
  rpcUrl?: string
}

/** A question to the user. The browser gives the origin, and the app all the rest. */
export type AppRequest = { origin: string } & (
  | { kind: 'connect' }
  | {
      kind: 'calls'
      chainId: number
      from: Address
      calls: readonly Call[]
      maxFee: bigint
      /** Asks for the fee, which reserves it. The last quote that was priced is the one that is signed. */
      price: () => Promise<CallsPrice>
    }
  | { kind: 'message'; from: Address; message: Hex; text: string }
  | { kind: 'typed-data'; from: Address; typedData: AppTypedData }
)

export interface AppProviderOptions {
  client: Client
  /** Scheme, host and port of the page, from the browser (MessageSender.origin in an extension), never from the page. */
  origin: string
  /** The first is the active one. */
  chains: readonly [AppChain, ...AppChain[]]
  /** The highest fee of a batch to accept, in wei. The address of the app pays it. */
  maxFee: bigint
  /** Host where the user signs in to the service; no app may have that signed. */
  signInHost?: string
  /** Asks the user. */
  approve: (request: AppRequest) => Promise<boolean>
  /** Receives the events of EIP-1193. */
  notify?: (event: AppEvent, detail: unknown) => void
}

export type AppEvent = 'connect' | 'accountsChanged' | 'chainChanged'
export type AppProvider = ReturnType<typeof createAppProvider>

interface AppAddress {
  address: Address
  nonce: number
}
interface Batch {
  chain: AppChain
  /** Null until it is signed. */
  quoteId: string | null
}
interface RelayStatus {
  status: string
  txHash: Hex | null
  confirmedTxHash: Hex | null
}
type Method = (params: readonly unknown[]) => unknown

/** States of a quote that will not be executed any more. */
const ENDED = new Set(['failed', 'unlocked', 'expired', 'replaced'])

/** Creates the provider of one page. It remembers batches while it lives; a wallet stores them by origin. */
export function createAppProvider(options: AppProviderOptions) {
  const { client, origin, chains, maxFee, approve } = options
  const { signInHost = 'localhost:3000', notify = () => {} } = options
  const account = `/v1/accounts/${client.accountId}`
  const batches = new Map<string, Batch>()
  let active: AppChain = chains[0]
  let isAnnounced = false
  let connected: AppAddress | null = null

  const findChain = (chainId: number, code: number) =>
    chains.find((chain) => chain.chainId === chainId) ?? fail(code, `chain ${chainId} is not served`)

  async function demandApproval(request: AppRequest): Promise<void> {
    if (!(await approve(request))) fail(4001, 'the user refused')
  }

  /** @throws ProviderError 4100 for an address that is not the app's, also where the account has it. */
  function demandConnected(address?: unknown): AppAddress {
    if (!connected) return fail(4100, 'not connected: ask for eth_requestAccounts')
    if (address !== undefined && !isAddressEqual(readAddress(address), connected.address))
      fail(4100, 'another address than the one of this app')
    return connected
  }

  async function connect(): Promise<Address[]> {
    if (!connected) {
      await demandApproval({ kind: 'connect', origin })
      const shown = await client.ask<AppAddress>('POST', `${account}/dapp-addresses`, { origin })
      demandOwn(client, String(shown.nonce), shown.address)
      connected = shown
      notify('accountsChanged', [shown.address])
    }
    return [connected.address]
  }

  /** Asks the user. Signs and submits a quote only after the check that it does this alone. */
  async function submit(
    chain: AppChain,
    calls: readonly Call[],
    signed: (quoteId: string) => void = () => {},
  ) {
    const { chainId, orchestrator, accountProxy } = chain
    const { address: from } = demandConnected()
    if (calls.some((call) => isOfAccount(call, [from, orchestrator, accountProxy])))
      fail(4100, 'an app may not call the account itself')
    const offer = createCallsOffer(client, { chain, origin, from, calls, maxFee })
    const { price } = offer
    let approved: Approved
    try {
      await demandApproval({ kind: 'calls', origin, chainId, from, calls, maxFee, price })
      approved = await offer.take()
    } catch (error) {
      await offer.drop()
      throw error
    }
    const submission = await signOrders(approved)
    signed(approved.quoteId)
    await client.ask('POST', `${account}/submit`, submission)
    return approved.quoteId
  }

  async function sendCalls([asked]: readonly unknown[]) {
    const { id, from, chainId, calls } = readBatch(asked)
    const chain = findChain(chainId, 5710)
    demandConnected(from)
    if (batches.has(id)) fail(5720, 'there is a batch with this id')
    const batch: Batch = { chain, quoteId: null }
    batches.set(id, batch)
    try {
      await submit(chain, calls, (quoteId) => (batch.quoteId = quoteId))
    } catch (error) {
      // The signed quote may be pending, whatever the connection did.
      if (batch.quoteId === null) batches.delete(id)
      throw error
    }
    return { id }
  }

  async function getCallsStatus([id]: readonly unknown[]) {
    const { chain, quoteId } = batches.get(String(id)) ?? fail(5730, 'there is no batch with this id')
    const shown = { version: '2.0.0', id, chainId: numberToHex(chain.chainId), atomic: true }
    if (quoteId === null) return { ...shown, status: 100 }
    const relay = await client.ask<RelayStatus>('GET', `${account}/relay-status/${quoteId}`)
    const hash = relay.confirmedTxHash ?? relay.txHash
    const { address } = demandConnected()
    const { rpcUrl, orchestrator } = chain
    if (rpcUrl === undefined) {
      const status = relay.status === 'confirmed' ? 200 : ENDED.has(relay.status) ? (hash ? 500 : 400) : 100
      return { ...shown, status, mined: hash && { hash, orchestrator, from: address } }
    }
    const receipt = hash && (await readBatchReceipt({ rpcUrl, orchestrator }, hash, address))
    if (relay.status === 'confirmed' && receipt) return { ...shown, status: 200, receipts: [receipt] }
    // Mined without effect, or never mined.
    if (ENDED.has(relay.status)) return { ...shown, status: receipt ? 500 : 400 }
    return { ...shown, status: 100 }
  }

  async function sendTransaction([asked]: readonly unknown[]): Promise<Hex> {
    const { from, chainId, call } = readTransaction(asked)
    demandConnected(from)
    if (chainId !== undefined && chainId !== active.chainId) fail(-32602, 'chainId: not the active chain')
    // The hash is known for certain when it is mined: until then the service may replace the transaction.
    return waitUntilConfirmed(client, await submit(active, [call]), () => {})
  }

  async function signMessage([data, address]: readonly unknown[]): Promise<Hex> {
    const { address: from, nonce } = demandConnected(address)
    const message = readBytes(data)
    const text = demandSafeMessage(message, { from, origin, signInHost })
    await demandApproval({ kind: 'message', origin, from, message, text })
    return client.controlOf(String(nonce)).signMessage({ message: { raw: message } })
  }

  /**
   * Good wherever the signer is recovered. Contracts that ask an address with code whether it signed (ERC-1271), such
   * as Permit2, refuse it once the address is delegated. They want the account's own form: approve in a batch instead.
   */
  async function signTypedData([address, asked]: readonly unknown[]): Promise<Hex> {
    const { address: from, nonce } = demandConnected(address)
    const own = [from, ...chains.flatMap(({ orchestrator, accountProxy }) => [orchestrator, accountProxy])]
    const typedData = readTypedData(asked, { chainId: active.chainId, own })
    await demandApproval({ kind: 'typed-data', origin, from, typedData })
    return client.controlOf(String(nonce)).signTypedData(typedData)
  }

  function switchChain([asked]: readonly unknown[]): null {
    const next = findChain(readChainId(readObject(asked)['chainId']), 4902)
    const isOther = next !== active
    active = next
    if (isOther) notify('chainChanged', numberToHex(next.chainId))
    return null
  }

  function getCapabilities([address, chainIds]: readonly unknown[]) {
    demandConnected(address)
    const wanted = Array.isArray(chainIds) ? chainIds.map(readChainId) : chains.map(({ chainId }) => chainId)
    const served = chains.filter(({ chainId }) => wanted.includes(chainId))
    return Object.fromEntries(
      served.map(({ chainId }) => [numberToHex(chainId), { atomic: { status: 'supported' } }]),
    )
  }

  function read(name: string, params: readonly unknown[]): Promise<unknown> {
    const { rpcUrl } = active
    return rpcUrl === undefined
      ? fail(4200, `${name}: ask a node of your own`)
      : askNode(rpcUrl, name, params)
  }

  const methods = new Map<string, Method>([
    ['eth_requestAccounts', connect],
    ['eth_accounts', () => (connected ? [connected.address] : [])],
    ['eth_chainId', () => numberToHex(active.chainId)],
    ['wallet_switchEthereumChain', switchChain],
    ['wallet_getCapabilities', getCapabilities],
    ['wallet_sendCalls', sendCalls],
    ['wallet_getCallsStatus', getCallsStatus],
    ['eth_sendTransaction', sendTransaction],
    ['personal_sign', signMessage],
    ['eth_signTypedData_v4', signTypedData],
    ...READS.map((name): [string, Method] => [name, (params) => read(name, params)]),
  ])

  /** @throws ProviderError with a code of EIP-1193, EIP-5792 or JSON-RPC. */
  async function request(asked: unknown): Promise<unknown> {
    const { method: name, params = [] } = readObject(asked)
    if (typeof name !== 'string' || !Array.isArray(params)) return fail(-32602, 'expected { method, params }')
    const method = methods.get(name) ?? fail(4200, `${name} is not supported`)
    if (!isAnnounced) notify('connect', { chainId: numberToHex(active.chainId) })
    isAnnounced = true
    try {
      return await method(params)
    } catch (error) {
      throw error instanceof ProviderError ? error : hideCause(error)
    }
  }

  /** The answer to the page: errors as data, because a message between page and wallet loses their code. */
  async function answer(asked: unknown): Promise<AppAnswer> {
    try {
      return { result: await request(asked) }
    } catch (error) {
      const { code, message, data } = error as ProviderError
      return { error: { code, message, data } }
    }
  }

  return { request, answer }
}
