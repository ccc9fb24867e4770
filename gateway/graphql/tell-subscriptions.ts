import {
  createSourceEventStream,
  executeSubscriptionEvent,
  mapSourceToResponseEvent,
  parse,
  print,
  validateSubscriptionArgs,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
} from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { isTold, type ToldEvents } from '../../relayer/concurrency/told-events.ts'

/** Facts about a request found while it runs; one object per request. */
export interface Found {
  /** A subscription whose events are published to all its followers. */
  told?: { events: ToldEvents<unknown>; document: DocumentNode }
}

/**
 * Detects subscriptions to published events, so that they can be sent without Yoga's chain of iterators. Nothing is
 * read until the first use.
 */
export const tellSubscriptions: Plugin<object, { found: Found }> = {
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn(async (given: ExecutionArgs) => {
      const args = validateSubscriptionArgs(given)
      if (!('schema' in args)) return { errors: args }
      const events = await createSourceEventStream(args)
      if (!(Symbol.asyncIterator in events)) return events
      if (isTold(events))
        (given.contextValue as { found: Found }).found.told = {
          events,
          document: args.document,
        }
      return mapSourceToResponseEvent(args, events)
    })
  },
}

/** All that the encoding of published events depends on, as one text: a parsed document takes twenty times as much memory. */
export const askedOf = (document: DocumentNode, { operationName, variables }: GraphQLParams): string =>
  JSON.stringify([document.loc?.source.body ?? print(document), operationName ?? null, variables ?? null])

/**
 * Creates the function that executes a follower's document for an event. The document has run before. The result
 * depends on the event and the document alone: there is no context.
 *
 * @param asked Text written by {@link askedOf}.
 */
export function readsOf(schema: GraphQLSchema, asked: string) {
  const [source, operationName, variableValues] = JSON.parse(asked) as [
    string,
    string | null,
    Record<string, unknown> | null,
  ]
  const args = validateSubscriptionArgs({ schema, document: parse(source), operationName, variableValues })
  if (!('schema' in args)) throw new Error('a document that ran is not valid')
  return (event: unknown) => executeSubscriptionEvent({ ...args, rootValue: event })
}
