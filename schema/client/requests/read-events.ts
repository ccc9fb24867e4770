// SPDX-License-Identifier: MIT
import { sleep } from './sleep.ts'

/** One event of a stream (text/event-stream). */
export interface StreamEvent {
  /** `next` carries a result; `complete` ends the stream. */
  type: string
  data: string
  /** The place to resume from; null where the service names none. */
  id: string | null
}

/** The service refused a stream, or ended it with errors. */
export class StreamRefusal extends Error {
  override name = 'StreamRefusal'
  readonly errors: readonly { message: string; extensions?: { code?: string } }[]

  constructor(errors: StreamRefusal['errors']) {
    super(errors.map(({ message, extensions }) => `${extensions?.code ?? 'error'}: ${message}`).join('; '))
    this.errors = errors
  }

  /** The code of the first error; null without one. */
  get code(): string | null {
    return this.errors[0]?.extensions?.code ?? null
  }
}

/** An answer that is no stream: an error of the whole request. */
async function refuse(answer: Response): Promise<never> {
  const text = await answer.text()
  // The service is busy, or too many streams are open: its stream is connected later.
  if (answer.status === 429 || answer.status === 503) throw new TypeError(text)
  const { errors } = JSON.parse(text) as { errors?: StreamRefusal['errors'] }
  throw new StreamRefusal(errors ?? [{ message: text }])
}

/** Reads the events of an answer until it ends. */
export async function* readEvents(answer: Response): AsyncGenerator<StreamEvent> {
  if (!answer.body) return
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const events = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      text = events.pop() ?? ''
      for (const event of events) yield readEvent(event)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function readEvent(text: string): StreamEvent {
  const members = text.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line) ?? [])
  const valuesOf = (wanted: string) =>
    members.flatMap(([, name, value]) => (name === wanted ? [value ?? ''] : []))
  return {
    type: valuesOf('event').at(-1) ?? 'message',
    data: valuesOf('data').join('\n'),
    id: valuesOf('id').at(-1) ?? null,
  }
}

/** A GraphQL subscription and the way to connect for it. */
export interface Followed {
  url: string
  query: string
  variables: Readonly<Record<string, unknown>>
  /** Called for each connection, because a token may be renewed meanwhile. */
  headers: () => Promise<Record<string, string>>
  /** Renews a token that has ended; tried once between two events. */
  renew?: () => Promise<void>
  signal: AbortSignal
  fetch?: typeof fetch
}

/** Longest pause before a cut stream is connected again. */
const LONGEST_PAUSE_MS = 15_000

/**
 * The results of a GraphQL subscription. A stream that is cut, without `event: complete`, is connected again, from the last
 * event that had an id.
 * @throws StreamRefusal where the service ends the stream with errors; the signal's reason when it is aborted.
 */
export async function* followStream<Data>(followed: Followed): AsyncGenerator<Data> {
  const { url, query, variables, headers, renew, signal, fetch: send = fetch } = followed
  let lastId: string | null = null
  let mayRenew = renew !== undefined
  for (let pauseMs = 250; ;) {
    try {
      const answer: Response = await send(`${url}/graphql`, {
        method: 'POST',
        headers: {
          ...(await headers()),
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(lastId !== null && { 'last-event-id': lastId }),
        },
        body: JSON.stringify({ query, variables }),
        signal,
      })
      if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) await refuse(answer)
      for await (const { type, data, id } of readEvents(answer)) {
        lastId = id ?? lastId
        if (type === 'complete') return
        if (data === '') continue
        const result = JSON.parse(data) as { data?: Data | null; errors?: StreamRefusal['errors'] }
        if (!result.data) throw new StreamRefusal(result.errors ?? [])
        yield result.data
        pauseMs = 250
        mayRenew = renew !== undefined
      }
    } catch (error) {
      if (signal.aborted) throw error
      const isEnded = error instanceof StreamRefusal && error.code === 'UNAUTHORIZED' && mayRenew
      // A lost connection is a TypeError; all else is an answer.
      if (!isEnded && !(error instanceof TypeError)) throw error
      if (isEnded) await renew?.()
      if (isEnded) mayRenew = false
    }
    await sleep(pauseMs, signal)
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
  }
}
