import { channel } from 'node:diagnostics_channel'
import type { OutboundProgress } from './broadcast-engine.ts'

/** A step of a transaction on its way to the chain. Published in the context of the work that makes the step. */
export type OutboundStep =
  /** A request of a client waits for the transaction that will serve `reference`. */
  | { step: 'awaited'; reference: string }
  /** It is in the outbox. `serves`: references of the requests that it serves. */
  | { step: 'queued'; outboundId: string; chainId: number; kind: string; serves: readonly string[] }
  | { step: 'progress'; outboundId: string; progress: OutboundProgress }

/** Channel with the steps of all transactions that this process hears of; messages are {@link OutboundStep}. */
export const outboundSteps = channel('relayer.outbound-steps')

/** Publishes a step on {@link outboundSteps}. */
export const publishOutboundStep = (step: OutboundStep): void => outboundSteps.publish(step)
