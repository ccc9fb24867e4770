// SPDX-License-Identifier: MIT
/**
 * A provider by EIP-1193 for the page of an app, whose wallet is a page of another origin. The page needs no extension:
 * requests go to a window of the wallet, where its user decides. The page's own nodes read the chain for it.
 */
import { numberToHex, type Address, type Hex } from 'viem'
import { fail, ProviderError } from './provider-error.ts'
import { askNode, readBatchReceipt, READS } from './read-app-chain.ts'
import { readChainId, readObject } from './read-app-request.ts'
import { APP_WINDOW, type WindowReply, type WindowRequest } from './window-messages.ts'

export interface WindowProviderOptions {
  /** Origin of the wallet, such as `https://pay.example`. Its window opens at `/wallet/connect`. */
  wallet: string
  /** Chains of the app, and the nodes that read them for it. The first is active when the page loads. */
  chains: readonly [ReadChain, ...ReadChain[]]
}
interface ReadChain {
  chainId: number
  rpcUrl: string
}

/** A provider by EIP-1193. */
export interface WindowProvider {
  /** @throws ProviderError with a code of EIP-1193, EIP-5792 or JSON-RPC. */
  request(asked: unknown): Promise<unknown>
  on(event: string, listener: Listener): WindowProvider
  removeListener(event: string, listener: Listener): WindowProvider
}
type Listener = (detail: unknown) => void

/** Requests that the user answers in the window. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'eth_requestAccounts',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'personal_sign',
  'eth_signTypedData_v4',
])
const FEATURES = 'popup,width=440,height=780'
const LOOK_MS = 300

/** The window of the wallet, as far as a page of another origin may touch it. */
interface WalletWindow {
  readonly closed: boolean
  focus(): void
  postMessage(message: unknown, origin: string): void
}
/** The parts of a browser's page that are used here. */
interface Page {
  open(url: string, name: string, features: string): WalletWindow | null
  localStorage: { getItem(name: string): string | null; setItem(name: string, text: string): void }
  addEventListener(event: 'message', listener: (heard: Heard) => void): void
  addEventListener(event: 'eip6963:requestProvider', listener: () => void): void
  dispatchEvent(event: Event): boolean
}
interface Heard {
  source: unknown
  origin: string
  data: unknown
}
const page = globalThis as unknown as Page

interface Pending {
  request: WindowRequest
  isPosted: boolean
  /** The user agreed. */
  isAgreed: boolean
  resolve: (result: unknown) => void
  reject: (error: ProviderError) => void
}
/** The part of a batch's status with which a page reads its receipt. */
interface Mined {
  hash: Hex
  orchestrator: Address
  from: Address
}

/** Creates the provider of a page. It opens the wallet's window for requests that its user decides, never before. */
export function createWindowProvider({ wallet, chains }: WindowProviderOptions): WindowProvider {
  const listeners = new Map<string, Set<Listener>>()
  const pending = new Map<number, Pending>()
  const remembered = `${APP_WINDOW} ${wallet}`
  let accounts = readRemembered(remembered)
  let active: ReadChain = chains[0]
  let opened: WalletWindow | null = null
  let isReady = false
  let lastId = 0
  let watch: ReturnType<typeof setInterval> | undefined

  const notify = (event: string, detail: unknown) =>
    listeners.get(event)?.forEach((listener) => listener(detail))

  function setAccounts(next: readonly Address[]): void {
    if (String(next) === String(accounts)) return
    accounts = next
    page.localStorage.setItem(remembered, JSON.stringify(next))
    notify('accountsChanged', [...next])
  }

  /** Opens the window, or shows the one that is open. */
  function openWindow(): void {
    if (opened && !opened.closed) return opened.focus()
    isReady = false
    opened = page.open(`${wallet}/wallet/connect`, APP_WINDOW, FEATURES)
    if (!opened) fail(4900, 'the browser blocked the window of the wallet: ask in answer to a click')
  }

  function post(waiting: Pending): void {
    waiting.isPosted = true
    opened?.postMessage(waiting.request, wallet)
  }

  function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = withResolvers()
    lastId += 1
    const request: WindowRequest = { type: APP_WINDOW, id: lastId, chainId: active.chainId, method, params }
    const waiting: Pending = { request, isPosted: false, isAgreed: false, resolve, reject }
    if (isReady) post(waiting)
    pending.set(lastId, waiting)
    watch ??= setInterval(lookWhetherOpen, LOOK_MS)
    return promise
  }

  function end(reason: string): void {
    for (const [id, { isPosted, isAgreed, reject }] of pending) {
      if (reason === 'reloaded' && !isPosted) continue
      pending.delete(id)
      reject(
        isAgreed
          ? new ProviderError(4900, `the window of the wallet was ${reason}; the request may be under way`)
          : new ProviderError(4001, `the user ${reason} the window of the wallet`),
      )
    }
  }

  function lookWhetherOpen(): void {
    if (opened?.closed) end('closed')
    if (pending.size > 0) return
    clearInterval(watch)
    watch = undefined
  }

  function hear({ source, origin, data }: Heard): void {
    if (source !== opened || origin !== wallet || !isReply(data)) return
    if (data.kind === 'ready') {
      // The window forgot the requests that it had before.
      end('reloaded')
      isReady = true
      for (const waiting of pending.values()) post(waiting)
      return
    }
    const waiting = pending.get(data.id)
    if (!waiting) return
    if (data.kind === 'agreed') {
      waiting.isAgreed = true
      return
    }
    pending.delete(data.id)
    const { result, error } = data
    if (error) waiting.reject(new ProviderError(error.code, error.message, undefined, error.data))
    else waiting.resolve(result)
  }
  page.addEventListener('message', hear)

  async function askUser(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === 'eth_requestAccounts' && accounts.length > 0) return [...accounts]
    openWindow()
    try {
      const result = await ask(method, params)
      if (method === 'eth_requestAccounts') {
        setAccounts(result as Address[])
        notify('connect', { chainId: numberToHex(active.chainId) })
      }
      return result
    } catch (error) {
      // The user took the app off the wallet's list.
      if ((error as ProviderError).code === 4100 && method !== 'eth_requestAccounts') setAccounts([])
      throw error
    }
  }

  /** The wallet says how a batch stands, and the app's own node says what it did. */
  async function askStatus(params: readonly unknown[]): Promise<unknown> {
    if (!isReady || opened?.closed !== false)
      return fail(4900, 'the window of the wallet is closed; its user sees how the calls stand')
    const answer = (await ask('wallet_getCallsStatus', params)) as { chainId: Hex; mined?: Mined | null }
    const { mined, ...status } = answer
    const node = chains.find(({ chainId }) => chainId === Number(status.chainId))
    if (!mined || !node) return status
    const { rpcUrl } = node
    const { orchestrator, hash, from } = mined
    const receipt = await readBatchReceipt({ rpcUrl, orchestrator }, hash, from)
    return { ...status, ...(receipt && { receipts: [receipt] }) }
  }

  function switchChain([asked]: readonly unknown[]): null {
    const wanted = readChainId(readObject(asked)['chainId'])
    const next = chains.find(({ chainId }) => chainId === wanted) ?? fail(4902, `no chain ${wanted} is known`)
    if (next === active) return null
    active = next
    notify('chainChanged', numberToHex(wanted))
    return null
  }

  function listCapabilities([, wanted]: readonly unknown[]) {
    const ids = chains.map(({ chainId }) => numberToHex(chainId))
    const shown = Array.isArray(wanted) ? ids.filter((id) => wanted.includes(id)) : ids
    return Object.fromEntries(shown.map((id) => [id, { atomic: { status: 'supported' } }]))
  }

  async function request(asked: unknown): Promise<unknown> {
    const { method, params = [] } = readObject(asked)
    if (typeof method !== 'string' || !Array.isArray(params))
      return fail(-32602, 'expected { method, params }')
    if (QUESTIONS.has(method)) return askUser(method, params)
    if (READS.includes(method)) return askNode(active.rpcUrl, method, params)
    if (method === 'eth_accounts') return [...accounts]
    if (method === 'eth_chainId') return numberToHex(active.chainId)
    if (method === 'wallet_switchEthereumChain') return switchChain(params)
    if (method === 'wallet_getCapabilities') return listCapabilities(params)
    if (method === 'wallet_getCallsStatus') return askStatus(params)
    return fail(4200, `${method} is not supported`)
  }

  const provider: WindowProvider = {
    request,
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  return provider
}

/** Announces the provider to the libraries of the page (EIP-6963), now and whenever they ask. */
export function announceWindowProvider(
  provider: WindowProvider,
  info: { uuid: string; name: string; icon: string; rdns: string },
): void {
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => void page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** The addresses that the wallet showed to this page before. */
function readRemembered(name: string): readonly Address[] {
  return JSON.parse(page.localStorage.getItem(name) ?? '[]') as Address[]
}

function isReply(data: unknown): data is WindowReply {
  return typeof data === 'object' && data !== null && (data as { type?: unknown }).type === APP_WINDOW
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers() {
  let resolve!: (result: unknown) => void
  let reject!: (error: ProviderError) => void
  const promise = new Promise<unknown>((keep, refuse) => {
    resolve = keep
    reject = refuse
  })
  return { promise, resolve, reject }
}
