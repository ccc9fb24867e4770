import { numberToHex, parseEther } from 'viem'
import {
  createAppProvider,
  ProviderError,
  type AppAnswer,
  type AppProvider,
  type AppRequest,
  type WindowRequest,
} from 'stealth-relay/client/provider'
import { SETTINGS } from '../read-settings.ts'
import { connectApp, listConnected } from '../session/connected-apps.ts'
import { describeProblem } from '../session/describe-problem.ts'
import type { Session } from '../session/session.ts'
import { TEXTS } from '../texts.ts'
import type { AnswerApp } from './app-door.ts'

/** A request that waits for its user. */
export interface Question {
  request: AppRequest
  agree: () => void
  refuse: () => void
  /** Ends it because it cannot be done; the app gets the reason without what names the account. */
  fail: (error: unknown) => void
}
/** How the last request of the app ended, or how far it is. */
export type Outcome =
  | { kind: 'connected' | 'signed' | 'refused' | 'sending' | 'sent' }
  | { kind: 'failed'; text: string }
export interface Shown {
  question: Question | null
  outcome: Outcome | null
}

/** The open wallet as the page of one app sees it. */
export interface AppSession {
  answer: AnswerApp
  readShown: () => Shown
  subscribe: (changed: () => void) => () => void
}

/** Above it no quote is signed, in wei. The fee on the screen is the one of the quote. */
const MAX_FEE = parseEther('0.05')
const QUESTIONS: ReadonlySet<string> = new Set([
  'eth_requestAccounts',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'personal_sign',
  'eth_signTypedData_v4',
])
const POLL_MS = 1_000
/** Half an hour; the activity of the wallet shows it too. */
const MOST_POLLS = 1_800

/** Creates the answers to an app. One question is on the screen at a time; another one is refused meanwhile. */
export function openAppSession({ client }: Session): AppSession {
  const listeners = new Set<() => void>()
  let shown: Shown = { question: null, outcome: null }
  let provider: AppProvider | null = null
  /** Reports that the user agreed to the request that may ask. */
  let asking: (() => void) | null = null

  function show(changes: Partial<Shown>): void {
    shown = { ...shown, ...changes }
    for (const changed of listeners) changed()
  }

  async function approve(request: AppRequest): Promise<boolean> {
    const { kind, origin } = request
    if (kind === 'connect' && listConnected(client.accountId).includes(origin)) return true
    const agreed = asking
    const isAgreed = await new Promise<boolean>((resolve, reject) => {
      const question: Question = {
        request,
        agree: () => resolve(true),
        refuse: () => resolve(false),
        fail: reject,
      }
      show({ question, outcome: null })
    }).finally(() => {
      asking = null
      show({ question: null })
    })
    if (!isAgreed) return false
    if (kind === 'connect') connectApp(client.accountId, origin)
    if (kind === 'calls') show({ outcome: { kind: 'sending' } })
    agreed?.()
    return true
  }

  /** The provider of the app. It knows an address only while the user's list has the app. */
  async function openProvider(origin: string): Promise<AppProvider> {
    const [chain, ...others] = SETTINGS.chains
    if (!chain) throw new ProviderError(4901, 'the wallet knows no chain')
    const isConnected = listConnected(client.accountId).includes(origin)
    if (!isConnected) provider = null
    const opened = (provider ??= createAppProvider({
      client,
      origin,
      chains: [chain, ...others],
      maxFee: MAX_FEE,
      signInHost: location.host,
      approve,
    }))
    if (isConnected) await opened.request({ method: 'eth_requestAccounts' })
    return opened
  }

  async function run({ method, params, chainId }: WindowRequest, origin: string): Promise<unknown> {
    const opened = await openProvider(origin)
    if (method === 'eth_requestAccounts') return opened.request({ method, params })
    if (!SETTINGS.chains.some((chain) => chain.chainId === chainId))
      throw new ProviderError(4901, `the wallet does not know chain ${chainId}`)
    // Both begin at once: no other request changes the chain in between.
    const switched = { method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] }
    const [, result] = await Promise.all([opened.request(switched), opened.request({ method, params })])
    if (method === 'wallet_sendCalls') void follow(opened, (result as { id: string }).id)
    return result
  }

  /** The screen says when a batch is final; the page asks by itself. */
  async function follow(opened: AppProvider, id: string): Promise<void> {
    const asked = { method: 'wallet_getCallsStatus', params: [id] }
    for (let polls = 0; polls < MOST_POLLS; polls += 1) {
      const { status } = (await opened.request(asked).catch(() => ({ status: 100 }))) as { status: number }
      if (shown.outcome?.kind !== 'sending') return
      if (status === 200) return show({ outcome: { kind: 'sent' } })
      if (status >= 400) return show({ outcome: { kind: 'failed', text: TEXTS.apps.reverted } })
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  async function answer(request: WindowRequest, origin: string, agreed: () => void): Promise<AppAnswer> {
    const { method } = request
    const isQuestion = QUESTIONS.has(method)
    if (isQuestion && asking)
      return { error: { code: -32002, message: 'another request is shown', data: null } }
    if (isQuestion) asking = agreed
    try {
      const result = await run(request, origin)
      if (isQuestion) show({ outcome: outcomeOf(method) ?? shown.outcome })
      return { result }
    } catch (error) {
      const { code, message, data, cause } = error as ProviderError
      if (isQuestion)
        show({
          outcome: code === 4001 ? { kind: 'refused' } : { kind: 'failed', text: describeFailure(cause) },
        })
      return { error: { code, message, data } }
    } finally {
      if (asking === agreed) asking = null
    }
  }

  return {
    answer,
    readShown: () => shown,
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
  }
}

function outcomeOf(method: string): Outcome | null {
  if (method === 'eth_requestAccounts') return { kind: 'connected' }
  if (method === 'eth_sendTransaction') return { kind: 'sent' }
  return method === 'wallet_sendCalls' ? null : { kind: 'signed' }
}

const describeFailure = (cause: unknown) =>
  cause === undefined ? TEXTS.apps.notDone : describeProblem(cause)
