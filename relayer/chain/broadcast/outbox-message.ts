import { z } from 'zod'
import type { OutboundEvent } from './progress-board.ts'

const hash = z.templateLiteral(['0x', z.string()])
const message = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('queued'),
    from: z.string(),
    chainId: z.int(),
    /** Whether the instance that queued it has a signer for it. */
    isInHand: z.boolean().default(false),
  }),
  z.object({ what: z.literal('leases'), from: z.string() }),
  z.object({
    what: z.literal('progress'),
    from: z.string(),
    event: z.object({
      outboundId: z.string(),
      kind: z.string(),
      reference: z.string(),
      chainId: z.int(),
      progress: z.discriminatedUnion('status', [
        z.object({ status: z.literal('sent'), hash }),
        z.object({ status: z.literal('confirmed'), hash }),
        z.object({ status: z.literal('reverted'), hash }),
        z.object({ status: z.literal('abandoned'), reason: z.string() }),
      ]),
    }),
  }),
])

/** Messages between the instances of the service about the outbox. */
export type OutboxMessage =
  | { what: 'queued'; from: string; chainId: number; isInHand: boolean }
  /** Leases were released, or are wanted. */
  | { what: 'leases'; from: string }
  | { what: 'progress'; from: string; event: OutboundEvent }

/** Encodes a message for the other instances. */
export function encodeOutboxMessage(content: OutboxMessage): string {
  return JSON.stringify(content)
}

/** Null when it is not one of ours: another version may use another format. */
export function decodeOutboxMessage(text: string): OutboxMessage | null {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return null
  }
}
