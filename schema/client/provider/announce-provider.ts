// SPDX-License-Identifier: MIT
/**
 * The part of a provider that runs in a page: it passes requests to the wallet and announces itself (EIP-6963, and as
 * `window.ethereum`). It is complete in one function, because a wallet injects its text. It decides nothing: the page that
 * it runs in can change it, so all checks are in the wallet.
 */
export interface Announcement {
  /** The global function that carries requests to the wallet and answers `{ result }` or `{ error }`. */
  bridge: string
  /** The global function by which the wallet reports events; this makes it. */
  receiver: string
  /** EIP-6963: a UUID for each page load, a name, a data URI, a reversed domain. */
  info: { uuid: string; name: string; icon: string; rdns: string }
}

/** The wallet's answer: errors as data, because a message between page and wallet loses their code. */
export interface AppAnswer {
  result?: unknown
  error?: { code: number; message: string; data: unknown }
}
type Listener = (detail: unknown) => void

/** Announces the provider, now and whenever an app asks for providers. */
export function announceProvider({ bridge, receiver, info }: Announcement): void {
  const page = globalThis as unknown as EventTarget & Record<string, unknown>
  const listeners = new Map<string, Set<Listener>>()
  const provider = {
    async request(asked: unknown): Promise<unknown> {
      const ask = page[bridge] as (asked: unknown) => Promise<AppAnswer>
      const { result, error } = await ask(asked)
      if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
      return result
    },
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  page[receiver] = (event: string, detail: unknown) => listeners.get(event)?.forEach((tell) => tell(detail))
  page['ethereum'] ??= provider
  const detail = Object.freeze({ info: Object.freeze(info), provider: Object.freeze(provider) })
  const announce = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
