import { expect, it } from 'vitest'
import { post } from '../../harness/call.ts'
import { openGateway, type OpenGateway } from '../open-gateway.ts'
import { openConnection } from '../../harness/raw-connection.ts'
import { sampleRequestBody } from '../sample-withdrawal.ts'
import { subscribe } from '../../harness/subscribe.ts'

const progressOf = (argument: string) =>
  `subscription { relayerRequestProgress(${argument}) { requestId status } }`
const step = (status: string) => ({ data: { relayerRequestProgress: { requestId: 'request-1', status } } })

async function openWithRequest(): Promise<OpenGateway> {
  const gateway = await openGateway()
  await post(`${gateway.url}/relayer/request`, sampleRequestBody)
  return gateway
}

it.each(['requestId: "request-1"', 'nullifierHash: "12"'])(
  'a subscription reports the progress of %s until it ends',
  async (argument) => {
    const { url, withdrawals } = await openWithRequest()
    const events = await subscribe(url, progressOf(argument))
    expect(events.headers.get('content-type')).toContain('text/event-stream')
    expect(await events.next()).toEqual(step('broadcast'))
    withdrawals.advance('request-1', { status: 'confirmed' })
    expect(await events.next()).toEqual(step('confirmed'))
    expect(await events.next()).toBeUndefined()
    await expect.poll(() => withdrawals.subscribers()).toBe(0)
  },
)

it.each(['requestId: "a", nullifierHash: "1"', 'requestId: null', 'nullifierHash: "0x1"'])(
  'a subscription refuses the arguments %s',
  async (argument) => {
    const { url } = await openGateway()
    const events = await subscribe(url, progressOf(argument))
    expect(await events.next()).toMatchObject({
      errors: [{ extensions: { status: 400, code: 'BAD_REQUEST' } }],
    })
    expect(await events.next()).toBeUndefined()
  },
)

it('a subscription stops when its client disconnects', async () => {
  const { url, withdrawals } = await openWithRequest()
  const events = await subscribe(url, progressOf('requestId: "request-1"'))
  await events.next()
  expect(withdrawals.subscribers()).toBe(1)
  events.leave()
  await expect.poll(() => withdrawals.subscribers()).toBe(0)
})

it.each(['POST', 'GET'] as const)(
  'a shutdown ends every subscription by %s without completing it',
  async (method) => {
    const { url, withdrawals, close, log } = await openWithRequest()
    const events = await subscribe(url, progressOf('requestId: "request-1"'), undefined, method)
    await events.next()
    const ended = expect(events.next()).rejects.toThrow(/without completing|terminated/)
    await close(30_000)
    await ended
    expect(withdrawals.subscribers()).toBe(0)
    expect(log.filter(({ msg }) => msg === 'answer cut short')).toEqual([])
  },
)

it('an error that ends a subscription is masked', async () => {
  const { url, withdrawals, log } = await openGateway()
  withdrawals.subscribe = async function* () {
    yield await Promise.reject(new Error('secret of the database'))
  }
  const events = await subscribe(url, progressOf('requestId: "request-1"'))
  const fault = await events.next()
  expect(fault).toMatchObject({ errors: [{ extensions: { error: 'Internal Server Error', status: 500 } }] })
  expect(JSON.stringify(fault)).not.toContain('secret')
  expect(JSON.stringify(log)).toContain('secret of the database')
})

it('HEAD requests, and clients that leave early, do not disturb the service', async () => {
  const { url, withdrawals } = await openWithRequest()
  const path = `/graphql?query=${encodeURIComponent(progressOf('requestId: "request-1"'))}`
  const accept = 'text/event-stream'
  const head = await fetch(url + path, { method: 'HEAD', headers: { accept } })
  expect(head.headers.get('content-type')).toBe(accept)
  for (let client = 0; client < 10; client++) {
    const connection = await openConnection(url)
    connection.send(`GET ${path} HTTP/1.1\r\nhost: x\r\naccept: ${accept}\r\n\r\n`)
    connection.socket.destroy()
  }
  await expect.poll(() => withdrawals.subscribers()).toBe(0)
  const events = await subscribe(url, progressOf('requestId: "request-1"'))
  expect(await events.next()).toEqual(step('broadcast'))
  events.leave()
})
