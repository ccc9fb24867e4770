import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, http, parseAbi, type Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeError } from '../../gateway/describe-error.ts'
import { createLogger } from '../../gateway/logging.ts'
import { openTestDatabase } from '../harness/open-test-database.ts'
import { sql } from '../../db/connect-database.ts'

const KEY = 'k3yInThePath'
const recipient: Address = '0x00000000000000000000000000000000DeaDBeef'
const abi = parseAbi(['function pay(address to, uint256 nullifierHash) returns (bool)'])
const nullifierHash = 12345678901234567890123456789012345678901234567890n

/** Answers by path: a refusal with its own message, or an RPC error that repeats the request. */
const server = createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith('/odd')) {
    const odd = JSON.parse(decodeURIComponent(request.url.slice('/odd/'.length)))
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: odd }))
    return
  }
  if (request.url?.startsWith('/refuse')) {
    response.writeHead(401).end(`bad key ${KEY} for https://node.example/v2/${KEY}`)
    return
  }
  const error = {
    code: -32000,
    message: `cannot run call for ${recipient} of ${nullifierHash}`,
    data: recipient,
  }
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))
})
let base: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

async function failureAt(url: string): Promise<unknown> {
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  const call = { address: recipient, abi, functionName: 'pay', args: [recipient, nullifierHash] } as const
  return client.simulateContract(call).then(
    () => null,
    (error: unknown) => error,
  )
}

function logged(error: unknown): string {
  let text = ''
  const logger = createLogger({ level: 'trace', destination: { write: (line) => void (text += line) } })
  logger.error({ err: error }, 'failed')
  logger.error(error)
  logger.trace({ err: new Error('above', { cause: error }) })
  logger.info({ err: new AggregateError([error]) })
  return text.toLowerCase()
}

test.each([
  ['a dead node', () => `http://127.0.0.1:9/v2/${KEY}`],
  ['a node that refuses the key', () => `${base}/refuse/${KEY}`],
  ['a node that repeats the call in its error', () => `${base}/answer/${KEY}`],
])('the log keeps the message of %s without keys and without the call', async (_, url) => {
  const error = await failureAt(url())
  expect(String(error).toLowerCase()).toContain(recipient.toLowerCase())
  const text = logged(error)
  expect(text).not.toContain(recipient.toLowerCase().slice(2))
  expect(text).not.toContain(nullifierHash.toString())
  expect(text).not.toContain(nullifierHash.toString(16))
  expect(text).not.toContain(KEY.toLowerCase())
  expect(text).toMatch(/contractfunctionexecutionerror|callexecutionerror/)
})

test.each([
  [{ code: -32_000 }],
  [{ code: -32_000, message: null }],
  [{ code: -32_000, message: { reason: 'no' } }],
  ['no'],
])('the error %j of a node, which has no words, is logged', async (odd) => {
  const error = await failureAt(`${base}/odd/${encodeURIComponent(JSON.stringify(odd))}`)
  expect(logged(error).trim().split('\n')).toHaveLength(4)
})

test('the log has neither statement nor values of a failed database query', async () => {
  const database = await openTestDatabase()
  try {
    const error = await database.pool
      .query(sql.typeAlias('void')`select ${recipient}::uuid`)
      .catch((cause: unknown) => cause)
    expect(JSON.stringify(error)).toContain(recipient)
    expect(logged(error)).not.toContain(recipient.toLowerCase().slice(2))
  } finally {
    await database.drop()
  }
})

test('an error that is written without the log shows no key of an address either', () => {
  const cause = new TypeError(`Failed to parse URL from https://user:${KEY}@node.example/v2/${KEY}`)
  const shown = JSON.stringify(describeError(new Error(`wss://node.example/${KEY} is away`, { cause })))
  expect(shown).toContain('https://node.example/…')
  expect(shown).not.toContain(KEY)
})
