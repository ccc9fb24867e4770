import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Loaded into a process whose memory is measured: whoever asks the port that GARBAGE_PORT names is told what is in use once the
 * garbage was collected. Programs that the process starts find the port taken.
 */
const port = Number(process.env['GARBAGE_PORT'])
if (isMainThread && port > 0) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  createServer((_, response) => {
    collect()
    collect()
    response.end(JSON.stringify(process.memoryUsage()))
  })
    .on('error', () => undefined)
    .listen(port, '127.0.0.1')
    .unref()
}
