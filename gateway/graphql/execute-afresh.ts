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
import type { ChargedContext } from '../documents/document-charges.ts'
import { createDocumentRoom } from '../documents/document-room.ts'
import { SPENT } from './stream-ends.ts'

/**
 * Executes each event of a subscription with a context of its own: what one event loaded would be old for the next, and
 * each has the whole room of a document. The place of an event that has a `cursor` becomes an extension of its result.
 * A stream whose client cannot pay for an event is cut: the client resumes before that event, once it has points again.
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
  if (!(Symbol.asyncIterator in events)) return events
  return mapSourceToResponseEvent(validated, pay(events, args.contextValue as EventContext), executeEvent)
}

type EventContext = ChargedContext & { ending: AbortController }

/** Yields the events that the client can pay for. */
function pay<Event>(events: AsyncIterable<Event>, context: EventContext): AsyncIterable<Event> {
  const { documentCharge, ending } = context
  const charge = documentCharge.chargeEvent
  return charge ? yieldPaid() : events

  async function* yieldPaid(): AsyncGenerator<Event> {
    for await (const event of events) {
      if (await charge?.()) yield event
      else {
        ending.abort(SPENT)
        return
      }
    }
  }
}

async function executeEvent(args: ValidatedSubscriptionArgs): Promise<ExecutionResult> {
  const contextValue = { ...(args.contextValue as object), room: createDocumentRoom() }
  const result = await executeSubscriptionEvent({ ...args, contextValue })
  const { cursor } = args.rootValue as { cursor?: unknown }
  return typeof cursor === 'string' ? { ...result, extensions: { ...result.extensions, cursor } } : result
}
