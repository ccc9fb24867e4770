import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createCallsSimulator } from '../../../proving/simulation/simulate-calls.ts'

const SOMEBODY = `0x${'11'.repeat(20)}` as const
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const WORD = `0x${'1'.padStart(64, '0')}`

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A node that always gives the next of some answers, the last one again and again. */
async function startNode(...answers: object[]) {
  let asked = 0
  const server = createServer((_, response) => {
    const answer = answers[Math.min(asked, answers.length - 1)]
    asked += 1
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, ...answer }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => asked }
}

const jobOf = (...rpcUrls: string[]) => ({
  rpcUrls,
  from: SOMEBODY,
  calls: [{ to: SOMEBODY, data: '0x' as const, value: 0n }],
  timeoutMs: 5_000,
})
const ran = (events: number) => {
  const logs = Array.from({ length: events }, () => ({
    address: SOMEBODY,
    topics: [TRANSFER, WORD, WORD],
    data: WORD,
  }))
  return {
    result: [{ number: '0x1', calls: [{ status: '0x1', gasUsed: '0x5208', returnData: '0x', logs }] }],
  }
}

test('calls with too many events are reported in part', async () => {
  const { url } = await startNode(ran(1_500))
  const [call] = (await createCallsSimulator().simulate(jobOf(url)))?.calls ?? []
  expect(call).toMatchObject({ success: true, isWhole: false })
  expect(call?.changes).toHaveLength(1_024)
})

test('calls with more events than are read are not known, and no other node is asked', async () => {
  const [long, other] = [await startNode(ran(12_000), ran(1)), await startNode(ran(1))]
  const simulator = createCallsSimulator()
  expect(await simulator.simulate(jobOf(long.url, other.url))).toMatchObject({ calls: [] })
  expect((await simulator.simulate(jobOf(long.url, other.url)))?.calls).toHaveLength(1)
  expect([long.count(), other.count()]).toEqual([2, 0])
})

test('a contract whose reason is a missing method does not keep its node from being asked again', async () => {
  const reason = { error: { code: -32_000, message: 'execution reverted: method not supported' } }
  const { url } = await startNode(reason, ran(1))
  const simulator = createCallsSimulator()
  expect((await simulator.simulate(jobOf(url)))?.calls).toMatchObject([{ success: false }])
  expect((await simulator.simulate(jobOf(url)))?.calls).toMatchObject([{ success: true }])
  const { url: older } = await startNode({ error: { code: -32_601, message: 'the method does not exist' } })
  expect(await simulator.simulate(jobOf(older))).toBeNull()
})
