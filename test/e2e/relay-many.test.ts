import { createPublicClient, http, parseAbiItem } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { get, post, relayBody, runConcurrently, untilFinal } from '../harness/relay-requests.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { loadRelayVectors, type RelayVector, type RelayVectors } from '../vectors/load-relay-vectors.ts'

let service: TestService
let vectors: RelayVectors

const chainOf = (running: TestService) => {
  const [chain] = running.parts.chains
  if (!chain) throw new Error('the service runs without a chain')
  return chain
}
const reader = () => createPublicClient({ transport: http(chainOf(service).rpcUrls[0]) })
const relayed = parseAbiItem(
  'event WithdrawalRelayed(address indexed _relayer, address indexed _recipient, address indexed _asset, uint256 _amount, uint256 _feeAmount)',
)

beforeAll(async () => {
  vectors = loadRelayVectors()
  service = await startTestService(
    { broadcast: { leaseMs: 1_000, retainMs: 0 } },
    { hasVectorDeposits: true },
  )
})
afterAll(() => service?.stop())

describe('many notes at once', () => {
  test('result in one transaction and equal answers when six are copies', async () => {
    const [vector] = vectors.relays
    const body = await relayBody(vector!)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(service.url, '/relayer/request', body)),
    )
    for (const { status, body: answer } of answers) {
      expect(status).toBe(200)
      expect(answer).toMatchObject({ success: true, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    }
    expect(new Set(answers.map(({ body: answer }) => answer['requestId'])).size).toBe(1)
    expect(new Set(answers.map(({ body: answer }) => answer['txHash'])).size).toBe(1)
    const end = await untilFinal(service.url, answers[0]?.body['requestId'] as string)
    expect(end).toMatchObject({ status: 'confirmed', txHash: answers[0]?.body['txHash'] })
    // A repeated request afterwards gets the same answer.
    expect((await post(service.url, '/relayer/request', body)).body).toMatchObject({
      success: true,
      requestId: end['requestId'],
      txHash: end['txHash'],
    })
  })

  test('are all accepted and confirmed, sixty of them sixteen at a time', async () => {
    const chosen = vectors.relays.filter(({ pool }) => pool === 'native').slice(1, 61)
    expect(chosen).toHaveLength(60)
    const answers = await runConcurrently(chosen, 16, async (vector) =>
      post(service.url, '/relayer/request', await relayBody(vector)),
    )
    expect(answers.flatMap(({ body }) => (body['error'] ? [body['message']] : []))).toEqual([])
    expect(answers.every(({ body }) => body['success'] === true)).toBe(true)
    const ends = await Promise.all(
      answers.map(({ body }) => untilFinal(service.url, body['requestId'] as string)),
    )
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'confirmed'))
    const receipts = await Promise.all(
      ends.map(({ txHash }) => reader().getTransactionReceipt({ hash: txHash as `0x${string}` })),
    )
    expect(receipts.filter(({ status }) => status !== 'success')).toEqual([])
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(60)
  })

  test('pay the recipient in token and coin in one transaction with extraGas', async () => {
    const vector = vectors.relays.find(({ pool }) => pool === 'token')!
    const before = await reader().getBalance({ address: vector.recipient })
    const { body: answer } = await post(
      service.url,
      '/relayer/request',
      await relayBody(vector, { extraGas: true }),
    )
    expect(answer).toMatchObject({ success: true })
    expect(await untilFinal(service.url, answer['requestId'] as string)).toMatchObject({
      status: 'confirmed',
    })
    expect(await reader().getBalance({ address: vector.recipient })).toBeGreaterThan(before)
  })

  test('are booked as their receipts say, to the wei', async () => {
    const logs = await reader().getLogs({
      event: relayed,
      fromBlock: 0n,
      address: chainOf(service).relayer!.entrypoint,
    })
    const receipts = await Promise.all(
      logs.map(({ transactionHash }) => reader().getTransactionReceipt({ hash: transactionHash })),
    )
    const transactions = await Promise.all(
      logs.map(({ transactionHash }) => reader().getTransaction({ hash: transactionHash })),
    )
    const { ledger } = await service.services.withdrawals.overview()
    for (const sum of ledger) {
      const mine = logs.flatMap(({ args }, index) => (args._asset === sum.asset ? [index] : []))
      const total = (value: (index: number) => bigint) => mine.reduce((all, index) => all + value(index), 0n)
      expect(sum.relays).toBe(mine.length)
      expect(sum.withdrawn).toBe(total((index) => logs[index]?.args._amount ?? 0n))
      expect(sum.feeReceived).toBe(total((index) => logs[index]?.args._feeAmount ?? 0n))
      expect(sum.gasSpent).toBe(
        total((index) => (receipts[index]?.gasUsed ?? 0n) * (receipts[index]?.effectiveGasPrice ?? 0n)),
      )
      expect(sum.topUpSpent).toBe(total((index) => transactions[index]?.value ?? 0n))
    }
    expect(ledger.reduce((relays, sum) => relays + sum.relays, 0)).toBe(62)
  })

  test('leave no trace of the client or the recipient', async () => {
    const { pool } = service.database
    const tables = await pool.anyFirst(sql.type(z.object({ name: z.string() }))`
      select table_name as name from information_schema.tables where table_schema = 'public'`)
    const dump = async () => {
      const rows = await Promise.all(
        tables.map((name) =>
          pool.anyFirst(sql.type(z.object({ row: z.string() }))`
            select row::text as row from ${sql.identifier([name])} as row`),
        ),
      )
      return rows.flat().join('\n').toLowerCase()
    }
    // Signed transactions contain the proof and the recipient; they are deleted once the transaction has settled.
    const bare = ({ recipient }: RelayVector) => recipient.toLowerCase().slice(2)
    const stillNamed = async () => {
      const now = await dump()
      return vectors.relays.filter((vector) => now.includes(bare(vector)))
    }
    await expect.poll(stillNamed).toEqual([])
    const kept = await dump()
    expect(kept).toContain(vectors.relays[0]!.publicSignals[1])
    expect(kept).not.toContain('127.0.0.1')
    for (const { proof } of vectors.relays) {
      expect(kept).not.toContain(proof.pi_a[0])
      expect(kept).not.toContain(BigInt(proof.pi_a[0]!).toString(16))
    }
    expect((await get(service.url, '/status.json')).status).toBe(200)
  })
})
