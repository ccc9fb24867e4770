import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { resolveHost } from '../../../../relayer/transact/ens/fetch-public.ts'

const A = 1
const AAAA = 28
const QUESTION_AT = 12

/** A DNS server that answers each question with the bytes from `answer`; null means no answer. */
async function startNameServer(answer: (type: number) => readonly number[] | null) {
  const server = createSocket('udp4')
  let asked = 0
  server.on('message', (question, { port, address }) => {
    asked += 1
    const nameEnd = question.indexOf(0, QUESTION_AT) + 1
    const type = question.readUInt16BE(nameEnd)
    const data = answer(type)
    if (data === null) return
    const header = Buffer.from(question.subarray(0, QUESTION_AT))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(data.length > 0 ? 1 : 0, 6)
    header.writeUInt16BE(0, 8)
    header.writeUInt16BE(0, 10)
    const record = Buffer.from([0xc0, QUESTION_AT, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
    const asIs = question.subarray(QUESTION_AT, nameEnd + 4)
    server.send(Buffer.concat([header, asIs, ...(data.length > 0 ? [record] : [])]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { servers: [`127.0.0.1:${server.address().port}`], asked: () => asked }
}

test('a host resolves to its IPv4 and IPv6 addresses', async () => {
  const { servers } = await startNameServer((type) =>
    type === A ? [192, 0, 2, 7] : [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9],
  )
  expect(await resolveHost('gateway.example', servers)).toEqual(['192.0.2.7', '2001:db8::9'])
})

test.each([A, AAAA])('one record type is enough (%d)', async (only) => {
  const bytes = only === A ? [192, 0, 2, 7] : [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
  const { servers } = await startNameServer((type) => (type === only ? bytes : []))
  expect(await resolveHost('gateway.example', servers)).toHaveLength(1)
})

test('a host without addresses, or with a silent name server, resolves to none', async () => {
  const empty = await startNameServer(() => [])
  await expect(resolveHost('gateway.example', empty.servers)).rejects.toMatchObject({ code: 'ENODATA' })
  const silent = await startNameServer(() => null)
  await expect(resolveHost('gateway.example', silent.servers)).rejects.toMatchObject({ code: 'ETIMEOUT' })
  expect(silent.asked()).toBeGreaterThan(1)
})
