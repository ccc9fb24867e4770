import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { isLoopback } from '../../../gateway/http/is-loopback.ts'
import { call } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'

const OPERATOR_PAGES = ['/', '/metrics', '/status.json', '/alarms']
const apart = { operatorDoor: { host: 'relay.internal.example' } }

/** The status of a GET with headers that fetch does not allow. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe("the operator's pages on a port of their own", () => {
  it('are not served at the public port', async () => {
    const { url, operatorUrl } = await openGateway({}, {}, apart)
    for (const path of OPERATOR_PAGES) expect((await call(operatorUrl + path)).status).toBe(200)
    expect((await call(`${url}/metrics`)).status).toBe(404)
    expect((await call(`${url}/status.json`)).status).toBe(404)
  })

  it('leave the API reference at the public port', async () => {
    const { url } = await openGateway({}, {}, apart)
    const front = await fetch(url, { redirect: 'manual' })
    expect([front.status, front.headers.get('location')]).toEqual([302, '/docs'])
    for (const path of ['/docs', '/openapi.json', '/health/live', '/health/ready'])
      expect((await call(url + path)).status).toBe(200)
    expect((await call(`${url}/graphql`, { headers: { accept: 'text/html' } })).status).toBe(200)
  })

  it('are served with the health checks but without the API', async () => {
    const { operatorUrl } = await openGateway({}, {}, apart)
    expect((await call(`${operatorUrl}/health/live`)).status).toBe(200)
    expect((await call(`${operatorUrl}/relayer/details?chainId=1`)).status).toBe(404)
    const page = (await call(`${operatorUrl}/`)).text
    expect(page).not.toMatch(/href="\/(?:docs|graphql|openapi)/)
    expect(page).toContain('href="/metrics"')
  })

  it('count the requests at the public port', async () => {
    const { url, operatorUrl } = await openGateway({}, {}, apart)
    await call(`${url}/health/live`)
    expect((await call(`${operatorUrl}/metrics`)).text).toMatch(
      /http_request_duration_seconds_count\{operation="live",status="200"\} 1/,
    )
  })

  it('are closed together with the public port', async () => {
    const { url, operatorUrl, close } = await openGateway({}, {}, apart)
    await close()
    for (const door of [url, operatorUrl!]) await expect(fetch(`${door}/health/live`)).rejects.toThrow()
  })
})

describe.each([
  ['apart', apart],
  ['on the same port', {}],
])('the operator’s pages %s', (_, parts) => {
  it.each([
    ['localhost', 200],
    ['127.0.0.1:4001', 200],
    ['[::1]:4001', 200],
    ['192.168.7.7', 200],
    ['relay:4001', 200],
    ['rebound.attacker.example', 403],
    ['attacker.example:4001', 403],
    ['127.0.0.1.attacker.example', 403],
  ])('answer a request for host %s with %i', async (host, status) => {
    const { url, operatorUrl } = await openGateway({}, {}, parts)
    for (const path of OPERATOR_PAGES)
      expect(await statusOf((operatorUrl ?? url) + path, { host })).toBe(status)
  })

  it('are not readable by scripts of other origins', async () => {
    const { url, operatorUrl } = await openGateway({}, {}, parts)
    const door = operatorUrl ?? url
    const origin = 'https://attacker.example'
    expect(await statusOf(`${door}/metrics`, { origin })).toBe(403)
    expect(await statusOf(`${door}/metrics`, { origin: 'null' })).toBe(403)
    expect(await statusOf(`${door}/metrics`, { origin: door })).toBe(200)
    const { hostname } = new URL(door)
    for (const other of [`http://${hostname}:3000`, `http://${hostname}`, door.replace('http:', 'https:')])
      for (const path of OPERATOR_PAGES) expect(await statusOf(door + path, { origin: other })).toBe(403)
  })

  it('name no origin that may read them, in answers, refusals and to preflight requests', async () => {
    const { url, operatorUrl } = await openGateway({}, {}, parts)
    const door = operatorUrl ?? url
    for (const path of OPERATOR_PAGES)
      for (const [method, origin] of [
        ['GET', undefined],
        ['GET', 'http://localhost:3000'],
        ['OPTIONS', 'http://localhost:3000'],
      ] as const) {
        const { headers } = await fetch(door + path, { method, headers: origin ? { origin } : {} })
        expect(headers.get('access-control-allow-origin')).toBeNull()
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      }
    const open = await fetch(`${url}/openapi.json`, { headers: { origin: 'http://localhost:3000' } })
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
  })
})

it("the operator's pages answer under the name in OPERATOR_HOST", async () => {
  const { operatorUrl } = await openGateway({}, {}, apart)
  expect(await statusOf(`${operatorUrl}/metrics`, { host: apart.operatorDoor.host })).toBe(200)
})

it("operator's pages on the API's port are not served through a reverse proxy on the same machine", async () => {
  const { url } = await openGateway({ trustedProxies: 1 })
  for (const path of OPERATOR_PAGES)
    expect((await call(url + path, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(403)
  expect(
    (await call(`${url}/docs`, { headers: { 'x-forwarded-for': '203.0.113.9', host: 'api.example' } }))
      .status,
  ).toBe(200)
})

it.each([
  'x-real-ip',
  'via',
  'x-forwarded-proto',
  'forwarded',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'x-remote-addr',
  'x-envoy-external-address',
  'x-azure-clientip',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-nf-client-connection-ip',
  'do-connecting-ip',
  'wl-proxy-client-ip',
])("operator's pages on the API's port are not served to a proxy that only sends %s", async (name) => {
  const { url } = await openGateway()
  for (const path of OPERATOR_PAGES) expect(await statusOf(url + path, { [name]: 'https' })).toBe(403)
  expect(await statusOf(`${url}/docs`, { [name]: 'https' })).toBe(200)
})

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['128.0.0.1', false],
  ['127.0.0.1.example.com', false],
  ['example.com', false],
])('whether %s is a loopback address: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
