import { askNode } from '../../../proving/rpc/json-rpc.ts'
import { countConnections } from '../../../proving/rpc/post-json.ts'

/** The node behind a persistent connection may change as well. */
const COMPARE_EVERY_MS = 60_000
/** Milliseconds before a node of another chain is checked again. */
const REFUSE_FOR_MS = 5_000

/** A node serves another chain than the configured one. */
export class OtherChainError extends Error {
  override name = 'OtherChainError'

  constructor(expected: number, served: number) {
    super(`the node serves chain ${served} instead of ${expected}`)
  }
}

/** Ensures that a node serves the configured chain. */
export interface NodeIdentity {
  /**
   * Compares the node's chain id on each new connection, after each {@link doubt}, and once a minute. Makes no other
   * request. A node that refuses to report its chain id is trusted to serve the configured one.
   *
   * @throws OtherChainError when it serves another chain; TransportError when it does not answer.
   */
  confirm(): Promise<void>
  /** True if `confirm` would make no request. */
  isConfirmed(): boolean
  /** Forces the next `confirm` to compare the chain id again. */
  doubt(): void
}

/** Creates the check of one node; `onChange` gets the id of another chain, and null once it is the right one again. */
export function createIdentity(
  url: string,
  chainId: number,
  timeoutMs: number,
  onChange: (problem: string | null) => void = () => {},
): NodeIdentity {
  let confirmed: { at: number; connections: number } | null = null
  let refused: { at: number; error: OtherChainError } | null = null
  let comparing: Promise<void> | null = null

  async function compare(): Promise<void> {
    const question = { method: 'eth_chainId', params: [] }
    const [answer] = await askNode(url, [question], AbortSignal.timeout(timeoutMs))
    const served = answer && 'result' in answer ? readChainId(answer.result) : null
    if (served !== null && served !== chainId) {
      confirmed = null
      refused = { at: performance.now(), error: new OtherChainError(chainId, served) }
      onChange(`serves chain ${served}`)
      throw refused.error
    }
    if (refused) onChange(null)
    refused = null
    confirmed = { at: performance.now(), connections: countConnections(url) }
  }

  const isConfirmed = () =>
    confirmed !== null &&
    confirmed.connections === countConnections(url) &&
    performance.now() - confirmed.at < COMPARE_EVERY_MS

  return {
    isConfirmed,
    async confirm() {
      if (isConfirmed()) return
      if (refused && performance.now() - refused.at < REFUSE_FOR_MS) throw refused.error
      comparing ??= compare().finally(() => (comparing = null))
      await comparing
    },
    doubt: () => (confirmed = null),
  }
}

function readChainId(answer: unknown): number | null {
  const served = typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? Number(answer) : null
  return served !== null && Number.isSafeInteger(served) ? served : null
}
