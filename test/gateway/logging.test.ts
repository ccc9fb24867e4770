import { expect, it } from 'vitest'
import { createLogger } from '../../gateway/logging.ts'

function logOf(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  write(createLogger({ level: 'info', destination: { write: (line) => void (text += line) } }))
  return text
}

it('redacts secrets and what links a person to a withdrawal, at every depth and in children', () => {
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

it('keeps the causes of an error', () => {
  const text = logOf((logger) => logger.error({ err: new Error('above', { cause: new Error('below') }) }))
  expect(JSON.parse(text)).toMatchObject({
    level: 'error',
    err: { message: 'above', cause: { message: 'below' } },
  })
})

it('keeps keys inside RPC addresses out of errors', () => {
  const error = new Error('request to https://user:pass@rpc.example/v2/apikey123?key=abc failed')
  const text = logOf((logger) => logger.error({ err: error }))
  expect(text).toContain('https://rpc.example/…')
  expect(text).not.toMatch(/apikey123|abc|pass/)
})
