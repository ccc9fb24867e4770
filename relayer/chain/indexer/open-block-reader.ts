import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { BlockFacts } from './block-facts.ts'
import type { ThreadAnswer, ThreadRequest } from './block-thread.ts'

/** Which block to read, from which nodes, for which addresses. */
export type BlockQuestion = Omit<ThreadRequest, 'id'>

/** Reads blocks in a thread of its own. */
export interface BlockReader {
  /** @throws BlockUnreadError when no node gives the block, or the thread ended. */
  read(question: BlockQuestion): Promise<BlockFacts>
  close(): Promise<void>
}

/** No node gave the block as it should be; the message is of the last one. */
export class BlockUnreadError extends Error {
  override name = 'BlockUnreadError'
  /** Whether a node answered wrongly, rather than not at all. */
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

/**
 * Starts the thread with the first question. A thread that dies is replaced; the questions that it held fail.
 */
export function openBlockReader(logger: Logger): BlockReader {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | null = null
  let nextId = 0
  let closed = false

  function start(): Worker {
    const worker = new Worker(new URL('./block-thread.ts', import.meta.url), {
      execArgv: [],
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
