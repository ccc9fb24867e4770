import { Session } from 'node:inspector'

type Listener = (method: string, params: Record<string, unknown>) => void

/** The debugger protocol of one process. */
interface Inspector {
  post(method: string, params?: object): void
  listen(listener: Listener): void
  close(): void
}

/**
 * The worker threads of a process, reached by its debugger, so that the product needs no interface for these tests.
 */
export interface ReachedThreads {
  /** The living threads, the newest last. */
  list(): string[]
  /** Evaluates an expression in a thread, without waiting for the result. */
  evaluate(thread: string, expression: string): void
  close(): void
}

/**
 * Ends a thread as a bug in our code would: in a separate turn of its event loop. The debugger could also end it
 * within a call of native code, where secp256k1 throws an exception that nothing catches, and the whole process ends.
 */
export const EXIT = 'setImmediate(() => process.exit(1))'
/**
 * Allocates large arrays until the thread's heap is full. Many small ones could fill it before V8 notifies Node, and
 * end the process.
 */
export const FILL_HEAP =
  'setImmediate(() => { const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length)) })'

function reach({ post, listen, close }: Inspector, inEach: string | null): ReachedThreads {
  const threads = new Set<string>()
  let lastId = 0
  function evaluate(thread: string, expression: string): void {
    const message = { id: ++lastId, method: 'Runtime.evaluate', params: { expression } }
    post('NodeWorker.sendMessageToWorker', { sessionId: thread, message: JSON.stringify(message) })
  }
  listen((method, params) => {
    const thread = String(params['sessionId'])
    if (method === 'NodeWorker.detachedFromWorker') threads.delete(thread)
    if (method !== 'NodeWorker.attachedToWorker') return
    threads.add(thread)
    if (inEach !== null) evaluate(thread, inEach)
  })
  post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return {
    list: () => [...threads],
    evaluate,
    close,
  }
}

/**
 * The threads of this process. The expression is evaluated in those that live, and in each new one when it starts.
 */
export function reachOwnThreads(inEach: string | null = null): ReachedThreads {
  const session = new Session()
  session.connect()
  const inspector: Inspector = {
    post: (method, params) => session.post(method, params, () => {}),
    listen: (listener) =>
      session.on('inspectorNotification', ({ method, params }) =>
        listener(method, params as Record<string, unknown>),
      ),
    close: () => session.disconnect(),
  }
  return reach(inspector, inEach)
}

/** The threads of a process that was started with `--inspect`, by the address that it printed. */
export async function reachThreadsAt(address: string): Promise<ReachedThreads> {
  const socket = new WebSocket(address)
  const opened = Promise.withResolvers<void>()
  socket.addEventListener('open', () => opened.resolve())
  socket.addEventListener('error', () => opened.reject(new Error(`no debugger at ${address}`)))
  await opened.promise
  let lastId = 0
  const inspector: Inspector = {
    // A thread may end just before a message reaches it.
    post: (method, params) => socket.send(JSON.stringify({ id: ++lastId, method, params })),
    listen: (listener) =>
      socket.addEventListener('message', ({ data }) => {
        const { method, params } = JSON.parse(String(data)) as { method?: string; params?: object }
        if (method) listener(method, { ...params })
      }),
    close: () => socket.close(),
  }
  return reach(inspector, null)
}
