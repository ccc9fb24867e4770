import {
  createSourceEventStream,
  executeSubscriptionEvent,
  mapSourceToResponseEvent,
  validateSubscriptionArgs,
  type ExecutionArgs,
  type ExecutionResult,
  type ValidatedSubscriptionArgs,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { createDocumentRoom } from '../documents/document-room.ts'

/**
 * Executes each event of a subscription with a context of its own: what one event loaded would be old for the next, and
 * each has the whole room of a document. The place of an event that has a `cursor` becomes an extension of its result.
 */
export const executeAfresh: Plugin = {
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn(subscribeAfresh)
  },
}

async function subscribeAfresh(args: ExecutionArgs) {
  const validated = validateSubscriptionArgs(args)
  if (!('operation' in validated)) return { errors: validated }
  const events = await createSourceEventStream(validated)
  return Symbol.asyncIterator in events ? mapSourceToResponseEvent(validated, events, executeEvent) : events
}

async function executeEvent(args: ValidatedSubscriptionArgs): Promise<ExecutionResult> {
  const contextValue = { ...(args.contextValue as object), room: createDocumentRoom() }
  const result = await executeSubscriptionEvent({ ...args, contextValue })
  const { cursor } = args.rootValue as { cursor?: unknown }
  return typeof cursor === 'string' ? { ...result, extensions: { ...result.extensions, cursor } } : result
}
