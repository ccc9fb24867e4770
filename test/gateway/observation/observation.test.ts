import { expect, it } from 'vitest'
import { createRecentOverview } from '../../../gateway/observation/recent-overview.ts'
import type { Health } from '../../../gateway/observation/health-routes.ts'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { call, graphql } from '../../harness/call.ts'
import { createMemoryWithdrawals } from '../memory-withdrawals.ts'
import { openGateway } from '../open-gateway.ts'

it('health checks separate a live process from a ready one', async () => {
  const { url, health } = await openGateway()
  expect((await call(`${url}/health/live`)).status).toBe(200)
  expect((await call(`${url}/health/ready`)).json).toEqual({
    ready: true,
    canSend: {},
    checks: { database: { ok: true } },
  })
  Object.assign(health, { ready: false, checks: { database: { ok: false, detail: 'connection refused' } } })
  const answer = await call(`${url}/health/ready`)
  expect(answer.status).toBe(503)
  expect(answer.json).toEqual({
    ready: false,
    canSend: {},
    checks: { database: { ok: false, detail: 'connection refused' } },
  })
  expect((await call(`${url}/health/live`)).status).toBe(200)
})

it("metrics count requests by operation and status, GraphQL's included", async () => {
  const { url } = await openGateway()
  await call(`${url}/relayer/details?chainId=1&assetAddress=${NATIVE_ASSET}`)
  await call(`${url}/relayer/details`)
  await call(`${url}/relayer/unknown`)
  await graphql(url, '{ relayerRequestStatus(requestId: "x") { status } }')
  const { text } = await call(`${url}/metrics`)
  const counted = (labels: string) => text.includes(`${labels} 1\n`)
  expect(counted('http_request_duration_seconds_count{operation="relayerDetails",status="200"}')).toBe(true)
  expect(counted('http_request_duration_seconds_count{operation="relayerDetails",status="400"}')).toBe(true)
  expect(counted('http_request_duration_seconds_count{operation="none",status="404"}')).toBe(true)
  expect(
    counted('graphql_operation_duration_seconds_count{operation="relayerRequestStatus",outcome="failed"}'),
  ).toBe(true)
})

it("metrics include the relayer's figures", async () => {
  const { url } = await openGateway()
  const { text, headers } = await call(`${url}/metrics`)
  expect(headers.get('content-type')).toContain('text/plain; version=0.0.4')
  for (const line of [
    'chain_head_block{chain="1"} 1234',
    'chain_head_age_seconds{chain="1"} 0.9',
    'chain_node_ok{chain="1",node="one.example"} 0',
    'chain_node_blocks_behind{chain="1",node="one.example"} 64',
    'signer_balance_wei{chain="1",signer="0x54a7ea4391ECA945c18896C62fbEE877AdB4b7de"} 2500000000000000000',
    'ledger_fee_received{chain="1",asset="ETH"} 100000000000000000',
    'pool_ready{chain="1",asset="ETH"} 1',
    'relay_requests{status="confirmed"} 40',
    'relay_refusals{code="INVALID_PROOF"} 3',
    'proving_pool{figure="running"} 1',
  ]) {
    expect(text).toContain(line)
  }
})

it('simultaneous requests for metrics read the figures once, and again after a failure', async () => {
  const withdrawals = createMemoryWithdrawals()
  const { overview } = withdrawals
  let reads = 0
  withdrawals.overview = () => {
    reads += 1
    return reads === 1 ? Promise.reject(new Error('database is away')) : overview()
  }
  const recent = createRecentOverview(withdrawals, 60_000)
  await expect(recent()).rejects.toThrow('database is away')
  await Promise.all([recent(), recent()])
  await recent()
  expect(reads).toBe(2)
})

it('simultaneous health probes ask the database once', async () => {
  let asked = 0
  const answer = Promise.withResolvers<Health>()
  const health = () => ((asked += 1), answer.promise)
  const { url } = await openGateway({}, {}, { health })
  const probes = Array.from({ length: 30 }, () => call(`${url}/health/ready`))
  await expect.poll(() => asked).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked).toBe(1)
  answer.resolve({ ready: true, canSend: {}, checks: {} })
  expect(new Set((await Promise.all(probes)).map(({ status }) => status))).toEqual(new Set([200]))
  const before = asked
  await call(`${url}/health/ready`)
  expect(asked).toBe(before + 1)
})
