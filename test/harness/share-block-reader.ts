import { pino } from 'pino'
import {
  BlockUnreadError,
  openBlockReader,
  type BlockReader,
} from '../../relayer/chain/indexer/open-block-reader.ts'

let shared: BlockReader | undefined

/**
 * A reader of blocks like the one that `openBlockReader` opens, by a thread that all tests of this process share.
 * Loading its modules costs half a second of CPU time. `close` fails pending reads, and leaves the thread running.
 */
export function shareBlockReader(): BlockReader {
  const reader = (shared ??= openBlockReader(pino({ level: 'silent' })))
  const closed = Promise.withResolvers<never>()
  closed.promise.catch(() => undefined)
  return {
    read: (question) => Promise.race([closed.promise, reader.read(question)]),
    close: async () => closed.reject(new BlockUnreadError('the indexer is being stopped')),
  }
}

/** Ends the thread. */
export async function closeSharedReader(): Promise<void> {
  const reader = shared
  shared = undefined
  await reader?.close()
}
