import { expect, it } from 'vitest'
import { createLogger } from '../../gateway/logging.ts'

function logOf(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  write(createLogger({ level: 'info', destination: { write: (line) => void (text += line) } }))
  return text
}

it('the log redacts secrets and every link from a person to a withdrawal, at every depth', () => {
  const text = logOf((logger) => {
    logger.info({
      authorization: 'hidden',
      a: { privateKey: 'hidden', b: { proof: ['hidden'], c: { recipient: 'hidden' } } },
    })
    logger.child({ token: 'hidden' }).info({ request: { feeCommitment: { asset: 'hidden' } } }, 'said')
  })
  expect(text).not.toContain('hidden')
  expect(text.match(/\[redacted\]/g)).toHaveLength(6)
  expect(text).toContain('said')
})

it('the log omits values that are nested too deeply to redact', () => {
  const nest = (depth: number): object => (depth === 0 ? { token: 'hidden' } : { in: nest(depth - 1) })
  const text = logOf((logger) => {
    for (let depth = 0; depth < 12; depth++) logger.info(nest(depth))
    logger.child(nest(9)).info('said')
  })
  expect(text.trim().split('\n')).toHaveLength(13)
  expect(text).not.toContain('hidden')
})

it('a line is written also about an unreadable object', () => {
  const error = Object.defineProperty(new Error('failed'), 'message', {
    get: () => {
      throw new TypeError('no')
    },
  })
  const text = logOf((logger) => {
    logger.error({ err: error }, 'said')
    logger.child({ error }).warn('said')
  })
  expect(text.match(/"msg":"said"/g)).toHaveLength(2)
})

it('the log contains the causes of an error', () => {
  const text = logOf((logger) => logger.error({ err: new Error('above', { cause: new Error('below') }) }))
  expect(JSON.parse(text)).toMatchObject({
    level: 'error',
    err: { message: 'above', cause: { message: 'below' } },
  })
})

it('the log keeps keys in RPC URLs out of errors', () => {
  const error = new Error('request to https://user:pass@rpc.example/v2/apikey123?key=abc failed')
  const text = logOf((logger) => logger.error({ err: error }))
  expect(text).toContain('https://rpc.example/…')
  expect(text).not.toMatch(/apikey123|abc|pass/)
})

it('the log describes errors under any member name without their extra members', () => {
  const error = Object.assign(new Error('failed'), { body: { params: ['0xhidden'] }, url: 'hidden' })
  const text = logOf((logger) => {
    logger.warn({ error, at: [{ reason: error }] })
    logger.child({ error }).warn('said')
  })
  expect(text).not.toContain('hidden')
  expect(text.match(/"message":"failed"/g)).toHaveLength(3)
})

it('the log does not change its arguments, and writes dates and lists as they are', () => {
  const fields = { token: 'hidden', list: [1, { proof: 'hidden' }], at: new Date(0), none: null }
  const text = logOf((logger) => logger.info(fields))
  expect(fields).toEqual({ token: 'hidden', list: [1, { proof: 'hidden' }], at: new Date(0), none: null })
  expect(JSON.parse(text)).toMatchObject({
    token: '[redacted]',
    list: [1, { proof: '[redacted]' }],
    at: '1970-01-01T00:00:00.000Z',
    none: null,
  })
})

it('an entry that asks for something has the code of its alarm, and no other entry has one', () => {
  const text = logOf((logger) => {
    const child = logger.child({ chainId: 1 })
    child.error({ err: new Error('gone') }, 'the queue could not be worked on')
    child.warn('the queue could not be worked on')
    child.error('something else')
  })
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { alarm?: string })
  expect(lines.map(({ alarm }) => alarm)).toEqual(['QUEUE_FAILED', undefined, undefined])
  expect(lines[0]).toMatchObject({ chainId: 1, err: { message: 'gone' } })
})
