/** Hears events, and once of their end: with an error where they failed. */
export interface EventListener<Event> {
  next(event: Event): void
  end(error?: unknown): void
}

/**
 * Events that are told as they happen, which costs those that wait nothing. All who are told of the same event get the same
 * object. Iterating takes them one by one.
 */
export interface ToldEvents<Event> extends AsyncIterable<Event> {
  /** Begins; at most once. The signal that the events were asked for with ends them. */
  listen(listener: EventListener<Event>): void
}

/** Whether somebody tells events by itself. */
export const isTold = <Event>(events: AsyncIterable<Event>): events is ToldEvents<Event> => 'listen' in events

/** Makes events that are told also such that can be iterated. */
export function tellEvents<Event>(listen: ToldEvents<Event>['listen']): ToldEvents<Event> {
  return { listen, [Symbol.asyncIterator]: () => pull(listen) }
}

async function* pull<Event>(listen: ToldEvents<Event>['listen']): AsyncGenerator<Event> {
  const waiting: Event[] = []
  const ended: { error?: unknown }[] = []
  let wake = () => {}
  listen({
    next(event) {
      waiting.push(event)
      wake()
    },
    end(error) {
      ended.push({ error })
      wake()
    },
  })
  for (;;) {
    while (waiting.length > 0) yield* waiting.splice(0)
    const [end] = ended
    if (end?.error !== undefined) throw end.error
    if (end) return
    await new Promise<void>((resolve) => {
      wake = resolve
      if (waiting.length > 0 || ended.length > 0) resolve()
    })
  }
}
