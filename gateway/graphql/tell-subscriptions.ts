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

/** What a request is found to be while it runs; one object per request. */
export interface Found {
  /** A subscription whose events are told to all that follow the same. */
  told?: { events: ToldEvents<unknown>; document: DocumentNode }
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
      if (isTold(events))
        (given.contextValue as { found: Found }).found.told = {
          events,
          document: args.document,
        }
      return mapSourceToResponseEvent(args, events)
    })
  },
}

/** All that what clients read of told events depends on, as one text: a parsed document takes twenty times as much memory. */
export const askedOf = (document: DocumentNode, { operationName, variables }: GraphQLParams): string =>
  JSON.stringify([document.loc?.source.body ?? print(document), operationName ?? null, variables ?? null])

/**
 * What clients read of told events, who ask that by a document that ran. It depends on the event and on what they ask alone: there
 * is no context.
 *
 * @param asked As {@link askedOf} writes it.
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
