import { nextSlice } from './next-slice.ts'

/** Receives events, and once their end, with the error if they failed. */
export interface EventListener<Event> {
  next(event: Event): void
  end(error?: unknown): void
}

/** Events that wait for a reader; a reader that falls further behind gets an error instead of them. */
const MOST_WAITING = 256

/**
 * Makes pushed events iterable. A crowd of readers gets an event one after the other, each in a turn of the event loop
 * of its own, so that other work runs in between.
 *
 * @param listen Starts listening. It ends when the signal given to the source of the events is aborted.
 * @param refuse Creates the error that the iteration of a reader that is too slow ends with.
 */
export async function* iterateEvents<Event extends object>(
  listen: (listener: EventListener<Event>) => void,
  refuse: () => unknown,
): AsyncGenerator<Event> {
  let waiting: Event[] = []
  let ended: { error?: unknown } | undefined
  let wake = () => {}
  const end = (error?: unknown) => {
    ended ??= { error }
    wake()
  }
  listen({
    next(event) {
      if (ended) return
      if (waiting.length === MOST_WAITING) {
        waiting = []
        end(refuse())
        return
      }
      waiting.push(event)
      wake()
    },
    end,
  })
  for (;;) {
    const event = waiting.shift()
    if (event) {
      await nextSlice()
      yield event
    } else if (ended) {
      if (ended.error !== undefined) throw ended.error
      return
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}
