import {
  APP_WINDOW,
  readWindowRequest,
  type AppAnswer,
  type WindowReply,
  type WindowRequest,
} from 'stealth-relay/client/provider'

/** Answers a request; `agreed` reports that the user agreed to it. */
export type AnswerApp = (request: WindowRequest, origin: string, agreed: () => void) => Promise<AppAnswer>

/** The messages between this window and the page that opened it. */
export interface AppDoor {
  /** No page opened this window, or the browser cut it off. */
  isAlone: boolean
  /** The origin of the page, from the browser; null until its first request. */
  readOrigin: () => string | null
  /** Calls back when the origin is known. @returns The end of it. */
  subscribe: (changed: () => void) => () => void
  /** Begins to answer, also the request that waited. @returns The end of it: the wallet is locked. */
  serve: (answer: AnswerApp) => () => void
}

/** Requests of the page in a minute; a library asks how a batch stands once a second. */
const MOST = 120
const MINUTE_MS = 60_000
/** Characters of a request; the service accepts 64 KiB of calldata. */
const MOST_TEXT = 200_000

const refuse = (code: number, message: string): AppAnswer => ({ error: { code, message, data: undefined } })
const BUSY = refuse(-32002, 'the wallet shows another request')

/** The parts of the window that are used here. */
export interface DoorWindow {
  /** The page that opened the window. */
  opener: { postMessage(reply: WindowReply, to: string): void } | null
  addEventListener(
    event: 'message',
    listener: (heard: { source: unknown; origin: string; data: unknown }) => void,
  ): void
}

/** Listens to the page that opened the window. The window serves the first origin that asks, and no other. */
export function openDoor(own: DoorWindow): AppDoor {
  const page = own.opener
  const listeners = new Set<() => void>()
  let origin: string | null = null
  let answer: AnswerApp | null = null
  let waiting: WindowRequest | null = null
  let moments: number[] = []

  const post = (to: string, reply: WindowReply) => page?.postMessage(reply, to)
  const answerNow = (to: string, id: number, given: AppAnswer) =>
    post(to, { type: APP_WINDOW, kind: 'answer', id, ...given })

  async function serveRequest(of: string, request: WindowRequest, by: AnswerApp): Promise<void> {
    const { id } = request
    const agreed = () => post(of, { type: APP_WINDOW, kind: 'agreed', id })
    answerNow(of, id, await by(request, of, agreed))
  }

  function hasShare(): boolean {
    const now = Date.now()
    moments = [...moments.filter((moment) => now - moment < MINUTE_MS), now].slice(-MOST - 1)
    return moments.length <= MOST
  }

  function receive(from: string, data: unknown): void {
    const request = readWindowRequest(data)
    if (!request) return
    const { id, params } = request
    // A frame without an origin, or another site at which the opener is now.
    if (from === 'null' || (origin !== null && from !== origin)) {
      if (from !== 'null') answerNow(from, id, refuse(4100, 'the window serves another page'))
      return
    }
    origin = from
    for (const changed of listeners) changed()
    if (!hasShare()) return answerNow(from, id, refuse(-32005, 'too many requests: wait a minute'))
    if (JSON.stringify(params).length > MOST_TEXT)
      return answerNow(from, id, refuse(-32602, 'the request is too long'))
    if (answer) return void serveRequest(from, request, answer)
    if (waiting) return answerNow(from, id, BUSY)
    waiting = request
  }

  own.addEventListener('message', ({ source, origin: from, data }) => {
    if (page && source === page) receive(from, data)
  })
  // Holds no secret: the origin of the page is not known yet.
  post('*', { type: APP_WINDOW, kind: 'ready' })

  return {
    isAlone: !page,
    readOrigin: () => origin,
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    serve(by) {
      answer = by
      const first = waiting
      waiting = null
      if (first && origin !== null) void serveRequest(origin, first, by)
      return () => {
        answer = null
      }
    },
  }
}
