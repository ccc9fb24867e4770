/** Receives events, and once their end, with the error if they failed. */
export interface EventListener<Event> {
  next(event: Event): void
  end(error?: unknown): void
}

/**
 * Events that are pushed to listeners as they happen, at no cost while none happens. All listeners get the same object for
 * an event. Iterating yields them one by one.
 */
export interface ToldEvents<Event> extends AsyncIterable<Event> {
  /** Starts listening; call at most once. Ends when the signal given to the source of the events is aborted. */
  listen(listener: EventListener<Event>): void
}

/** True if the events can be pushed to a listener. */
export const isTold = <Event>(events: AsyncIterable<Event>): events is ToldEvents<Event> => 'listen' in events

/** Makes pushed events iterable as well. */
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
