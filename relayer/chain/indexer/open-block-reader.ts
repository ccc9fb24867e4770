import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { BlockFacts } from './block-facts.ts'
import type { ThreadAnswer, ThreadRequest } from './block-thread.ts'

/** The block to read, its nodes, and the addresses to find. */
export type BlockQuestion = Omit<ThreadRequest, 'id'>

/** Reads blocks in a thread of its own. */
export interface BlockReader {
  /** @throws BlockUnreadError when no node returns the block, or the thread ended. */
  read(question: BlockQuestion): Promise<BlockFacts>
  close(): Promise<void>
}

/** No node returned a correct block; the message is that of the last one. */
export class BlockUnreadError extends Error {
  override name = 'BlockUnreadError'
  /** True if a node answered wrongly, rather than not at all. */
  readonly isWrongAnswer: boolean

  constructor(message: string, isWrongAnswer = false) {
    super(message)
    this.isWrongAnswer = isWrongAnswer
  }
}

interface Waiting {
  resolve(facts: BlockFacts): void
  reject(error: Error): void
}

/** Starts the thread with the first question. A dead thread is replaced; its pending questions fail. */
export function openBlockReader(logger: Logger): BlockReader {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | null = null
  let nextId = 0
  let closed = false

  function start(): Worker {
    const worker = new Worker(new URL('./block-thread.ts', import.meta.url), {
      // Of the process's flags a thread needs this one alone, for readable stack traces from dist/.
      execArgv: process.execArgv.filter((flag) => flag === '--enable-source-maps'),
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
    })
    worker.unref()
    worker.on('message', (answer: ThreadAnswer) => {
      const asker = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('facts' in answer) asker?.resolve(answer.facts)
      else
        asker?.reject(
          new BlockUnreadError(answer.failure.message, answer.failure.name === 'WrongAnswerError'),
        )
    })
    worker.on('error', (error) => logger.error({ err: error }, 'the thread that reads blocks failed'))
    worker.on('exit', () => {
      if (thread !== worker) return
      thread = null
      for (const { reject } of waiting.values())
        reject(new BlockUnreadError('the thread that reads blocks ended'))
      waiting.clear()
    })
    return worker
  }

  return {
    read(question) {
      if (closed) return Promise.reject(new BlockUnreadError('the indexer is being stopped'))
      thread ??= start()
      const id = nextId++
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
        thread?.postMessage({ ...question, id } satisfies ThreadRequest)
      })
    },
    async close() {
      closed = true
      await thread?.terminate()
    },
  }
}
