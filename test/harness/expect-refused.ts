import { expect } from 'vitest'
import type { Client } from '../../schema/client/account/open-client.ts'
import { swap, type SwapOptions, type SwapQuote } from '../../schema/client/quotes/swap.ts'
import type { LyingGateway } from './start-lying-gateway.ts'

/** By name of the lie: the words of the refusal, and the changed answer about a swap. */
export type Lies = Record<string, [string, (quote: SwapQuote) => object]>

/** Each lie of the gateway makes its client refuse, with these words, and nothing is ever submitted. */
export async function expectRefused(
  { liar, client }: { liar: LyingGateway; client: Client },
  asked: SwapOptions,
  lies: Lies,
): Promise<void> {
  const submitted = liar.believed()
  for (const [what, [words, lie]] of Object.entries(lies)) {
    liar.tell(lie)
    await expect(swap(client, asked), what).rejects.toThrow(words)
  }
  liar.tell(null)
  expect(liar.believed()).toBe(submitted)
}
