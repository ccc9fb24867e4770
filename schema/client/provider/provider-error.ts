// SPDX-License-Identifier: MIT
// Errors that a page gets when its request fails.

/** Refusals that an app learns of; it could find them out with `eth_call`. */
const REFUSALS: Readonly<Record<string, string>> = {
  SIMULATION_FAILED: 'the calls would fail; nothing was sent',
  INSUFFICIENT_BALANCE: 'the address has too little for the calls and their fee; nothing was sent',
}

/** A refusal with a code of EIP-1193, EIP-5792 or JSON-RPC, as the page sees it. The cause is the wallet's alone. */
export class ProviderError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, cause?: unknown, data?: unknown) {
    super(message, { cause })
    this.code = code
    this.data = data
  }
}

/** @throws ProviderError always. */
export function fail(code: number, message: string): never {
  throw new ProviderError(code, message)
}

/**
 * The service's message may name the account or its other addresses: the wallet may log the cause, the app gets none.
 */
export function hideCause(cause: unknown): ProviderError {
  const code = /"code":"(\w+)"/.exec(cause instanceof Error ? cause.message : '')?.[1] ?? ''
  const told = REFUSALS[code]
  return told
    ? new ProviderError(-32003, told, cause)
    : new ProviderError(-32603, 'the wallet could not do this', cause)
}
