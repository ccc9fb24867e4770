import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createShutdownList } from '../../../relayer/concurrency/shutdown-list.ts'

const logger = pino({ level: 'silent' })

test('parts are stopped in reverse order, each once, also where one fails', async () => {
  const stopped: string[] = []
  const list = createShutdownList(logger)
  list.add('first', () => stopped.push('first'))
  list.add('second', () => {
    stopped.push('second')
    throw new Error('it hangs on')
  })
  list.add('third', () => stopped.push('third'))
  await Promise.all([list.run(), list.run()])
  expect(stopped).toEqual(['third', 'second', 'first'])
})

test('a part that comes up after the end began is stopped at once', async () => {
  const stopped: string[] = []
  const list = createShutdownList(logger)
  await list.run()
  list.add('late', () => stopped.push('late'))
  await list.run()
  expect(stopped).toEqual(['late'])
})
