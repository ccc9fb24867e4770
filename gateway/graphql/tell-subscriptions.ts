import {
  createSourceEventStream,
  executeSubscriptionEvent,
  mapSourceToResponseEvent,
  validateSubscriptionArgs,
  type ExecutionArgs,
  type ValidatedSubscriptionArgs,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { isTold, type ToldEvents } from '../../relayer/concurrency/told-events.ts'

/** A subscription whose events are told to all that follow the same. */
export interface ToldSubscription {
  events: ToldEvents<unknown>
  args: ValidatedSubscriptionArgs
}

/** What a request is found to be while it runs; one object per request. */
export interface Found {
  told?: ToldSubscription
  /** Its answer goes on. */
  isLive?: boolean
}

/**
 * Notes subscriptions whose events are told, so that they can be sent without the chain of iterators that Yoga would read them
 * by. Nothing is read of them until somebody does.
 */
export const tellSubscriptions: Plugin<object, { found: Found }> = {
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn(async (given: ExecutionArgs) => {
      const args = validateSubscriptionArgs(given)
      if (!('schema' in args)) return { errors: args }
      const events = await createSourceEventStream(args)
      if (!(Symbol.asyncIterator in events)) return events
      if (isTold(events)) (given.contextValue as { found: Found }).found.told = { events, args }
      return mapSourceToResponseEvent(args, events)
    })
  },
}

/** What a client reads of one event. */
export const resultOfEvent = (args: ValidatedSubscriptionArgs, event: unknown) =>
  executeSubscriptionEvent({ ...args, rootValue: event })
