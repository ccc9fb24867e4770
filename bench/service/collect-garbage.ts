import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Loaded into a measured process. The port that GARBAGE_PORT names returns the memory in use after garbage collection.
 * Programs that the process starts find the port in use.
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
