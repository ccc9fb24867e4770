/**
 * A subscription over server-sent events: each `next()` is one result, undefined once the stream has completed, and an error
 * where it ended without completing.
 */
export async function subscribe(
  url: string,
  query: string,
  token?: string,
  method: 'GET' | 'POST' = 'POST',
  lastEventId?: string,
) {
  const leave = new AbortController()
  const headers = {
    accept: 'text/event-stream',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  let lastId: string | undefined
  const { signal } = leave
  const answer = await (method === 'GET'
    ? fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, { headers, signal })
    : fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
        signal,
      }))
  const events = readEvents(answer, (id) => (lastId = id))
  return {
    headers: answer.headers,
    leave: () => leave.abort(),
    /** `id` of the last event that had one. */
    lastId: () => lastId,
    async next(): Promise<Record<string, unknown> | undefined> {
      const { value } = await events.next()
      return value ?? undefined
    },
  }
}

async function* readEvents(
  answer: Response,
  note: (id: string) => void,
): AsyncGenerator<Record<string, unknown>, undefined> {
  let buffer = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    buffer += chunk
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const event = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      if (event.includes('event: complete')) return undefined
      const id = /^id: (.*)$/m.exec(event)?.[1]
      if (id !== undefined) note(id)
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data) yield JSON.parse(data)
    }
  }
  throw new Error('the stream ended without completing')
}
