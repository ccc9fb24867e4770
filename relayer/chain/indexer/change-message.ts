import { z } from 'zod'
import type { Address, Hash } from 'viem'
import type { IndexChange } from './indexer.ts'

/** Topic of the shared state on which indexers publish changes. */
export const INDEX_TOPIC = 'indexer'
/** Addresses per message; longer lists are split. */
const PER_MESSAGE = 1_000

const message = z.object({
  chainId: z.number(),
  blockNumber: z.string().transform(BigInt),
  blockHash: z
    .string()
    .transform((text) => text as Hash)
    .nullable(),
  addresses: z.array(z.string().transform((text) => text as Address)),
  pools: z.boolean(),
  reorg: z.boolean(),
})

/** Encodes a change as one or more messages. */
export function encodeChange(change: IndexChange): string[] {
  const messages: string[] = []
  for (let at = 0; at === 0 || at < change.addresses.length; at += PER_MESSAGE)
    messages.push(
      JSON.stringify({
        ...change,
        blockNumber: String(change.blockNumber),
        addresses: change.addresses.slice(at, at + PER_MESSAGE),
      }),
    )
  return messages
}

/** Decodes a message; null for other text. */
export function decodeChange(text: string): IndexChange | null {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return null
  }
}
