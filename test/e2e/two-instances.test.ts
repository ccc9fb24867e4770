import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { encodeFunctionData, namehash, parseAbi, parseEther, toHex, zeroAddress, type Address } from 'viem'
import { packetToBytes } from 'viem/ens'
import { call } from '../harness/call.ts'
import { openPayer } from '../harness/chain-actors.ts'
import { post, relayBody } from '../harness/relay-requests.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { findRedisServer, startRedis, type RedisServer } from '../harness/start-redis.ts'
import { resumeVectorDeposits } from '../harness/resume-service-chains.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { subscribe } from '../harness/subscribe.ts'
import { watchRedis } from '../harness/watch-redis.ts'
import { openAccount, textOf, type SignedIn } from '../relayer/account/open-account.ts'
import { createWallet } from '../relayer/identity/wallet.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'

/** A wallet's request for the address of a name, as a resolver contract forwards it. */
function lookupOf(name: string): string {
  const addr = encodeFunctionData({
    abi: parseAbi(['function addr(bytes32 node) view returns (address)']),
    args: [namehash(name)],
  })
  return encodeFunctionData({
    abi: parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)']),
    args: [toHex(packetToBytes(name)), addr],
  })
}

const PATIENT = { timeout: 60_000 }
const program = findRedisServer('two instances of the service')

describe.runIf(program)('two instances on one database and one Redis', () => {
  let database: TestDatabase
  let redis: RedisServer
  let folder: string
  let services: [TestService, TestService]

  beforeAll(async () => {
    database = await openTestDatabase()
    redis = await startRedis(program!)
    folder = await mkdtemp(join(tmpdir(), 'two-instances-'))
    const masterKeys = [randomBytes(32).toString('hex')]
    const start = (name: string, chainId: number, more: Record<string, unknown> = {}) =>
      startTestService({
        ...more,
        devnet: { ports: [0], deterministic: true, asp: false, chainIds: [chainId] },
        storage: { databaseUrl: database.url, redisUrl: redis.url, dataDir: join(folder, name) },
        identity: { masterKeys },
        http: { trustedProxies: 1 },
      })
    await resumeVectorDeposits(join(folder, 'one'))
    services = [await start('one', 31_337), await start('two', 31_338, { host: '0.0.0.0', operatorPort: 0 })]
    // Until Redis answers each of them counts by itself.
    for (const { operatorUrl } of services)
      await vi.waitFor(
        async () => expect((await call(`${operatorUrl}/health/ready`)).status).toBe(200),
        PATIENT,
      )
  })
  afterAll(async () => {
    for (const service of services ?? []) await service.stop()
    await redis?.stop()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const urlOf = (turn: number) => services[turn % 2]!.url
  /** Statuses of the given number of nonce requests of one client, sent to the two instances in turn. */
  async function askNonces(count: number, address: string): Promise<number[]> {
    const statuses: number[] = []
    for (let turn = 0; turn < count; turn += 1) {
      const url = `${urlOf(turn)}/v1/nonce?address=${createWallet().address}`
      statuses.push((await call(url, { headers: { 'x-forwarded-for': address } })).status)
    }
    return statuses
  }
  const ok = (count: number) => Array<number>(count).fill(200)

  const issue = (url: string, owner: SignedIn & { path: string }, key: string, body: unknown = {}) =>
    call(`${url}${owner.path}/payment-address`, {
      method: 'POST',
      body,
      headers: { ...owner.headers, 'idempotency-key': key },
    })

  test("serve the operator's pages beside the API on loopback only", async () => {
    const [local, open] = services
    expect(local.operatorUrl).toBe(local.url)
    expect(new URL(open.operatorUrl).hostname).toBe('127.0.0.1')
    expect(open.operatorUrl).not.toBe(open.url)
    for (const path of ['/metrics', '/status.json']) {
      expect((await call(`${local.url}${path}`)).status).toBe(200)
      expect((await call(`${open.url}${path}`)).status).toBe(404)
      expect((await call(`${open.operatorUrl}${path}`)).status).toBe(200)
    }
  })

  test('share their rate limits', async () => {
    expect(await askNonces(22, '198.51.100.1')).toEqual([...ok(20), 429, 429])
  })

  test('run a request once under its Idempotency-Key, whichever of them is asked', async () => {
    const owner = await openAccount(urlOf(0))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => issue(urlOf(turn), owner, 'same')),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 201, json: { nonce: '0' } })
    expect((await issue(urlOf(1), owner, 'next')).json).toMatchObject({ nonce: '1' })
  })

  test('both refuse a token that one of them has revoked', async () => {
    const owner = await openAccount(urlOf(0))
    const there = () => call(`${urlOf(1)}${owner.path}`, { headers: owner.headers })
    expect((await there()).status).toBe(200)
    await owner.send('POST', '/v1/logout')
    expect((await there()).status).toBe(401)
  })

  test('a follower of an account at one of them hears of the other, and resumes there', async () => {
    const owner = await openAccount(urlOf(0))
    const follow = (turn: number, lastId?: string) =>
      subscribe(
        urlOf(turn),
        'subscription { accountEvents { __typename cursor } }',
        owner.headers['authorization']?.slice('Bearer '.length),
        'POST',
        lastId,
      )
    const markSeen = (turn: number) =>
      call(`${urlOf(turn)}${owner.path}/deposit-review/seen`, { method: 'POST', headers: owner.headers })
    const typeOf = (result: Record<string, unknown> | undefined) =>
      (result as { data: { accountEvents: { __typename: string } } }).data.accountEvents.__typename
    const first = await follow(0)
    expect(typeOf(await first.next())).toBe('ResyncRequired')
    await markSeen(1)
    expect(typeOf(await first.next())).toBe('ReviewChanged')
    first.leave()
    await markSeen(0)
    const second = await follow(1, first.lastId())
    expect(typeOf(await second.next())).toBe('ReviewChanged')
    second.leave()
  })

  test('report to the followers of a note at one of them the relays of the other', async () => {
    const vector = loadRelayVectors().relays[1]!
    const steps = await subscribe(
      urlOf(1),
      `subscription { relayerRequestProgress(nullifierHash: "${vector.publicSignals[1]}") { status } }`,
    )
    const { body } = await post(urlOf(0), '/relayer/request', await relayBody(vector))
    expect(body).toMatchObject({ success: true })
    const told: unknown[] = []
    for (let step = await steps.next(); step; step = await steps.next())
      told.push(
        (step as { data: { relayerRequestProgress: { status: string } } }).data.relayerRequestProgress.status,
      )
    // It began to listen before or after the first steps.
    expect(told.slice(-2)).toEqual(['broadcast', 'confirmed'])
  })

  test('store no client, account, address, name, note or token in Redis', async () => {
    const watch = await watchRedis(redis.url)
    const client = '203.0.113.77'
    await askNonces(4, client)
    const owner = await openAccount(urlOf(0))
    const clientOfOwner = owner.headers['x-forwarded-for']!
    const paid = textOf(await issue(urlOf(1), owner, 'watched'), 'address')
    await owner.send('POST', `${owner.path}/subdomain`, { subdomain: 'somebody' })
    const lookup = `/ccip/${zeroAddress}/${lookupOf('somebody.stealth.eth')}.json`
    for (const turn of [0, 1])
      expect((await call(`${urlOf(turn)}${lookup}`, { headers: { 'x-forwarded-for': client } })).status).toBe(
        200,
      )
    const vector = loadRelayVectors().relays[0]!
    const { body } = await post(urlOf(0), '/relayer/request', await relayBody(vector))
    const { requestId } = body as { requestId: string }
    // One instance reports the request that the other received.
    expect((await call(`${urlOf(1)}/relayer/request/${requestId}`)).json).toMatchObject({ requestId })
    const before = watch.heard()
    const payer = await openPayer({ ...services[0], dataDir: join(folder, 'one') }, 5)
    await payer.payNative(paid as Address, parseEther('1'))
    await expect.poll(() => watch.heard()).toBeGreaterThan(before)

    const stored = await watch.read()
    watch.close()
    expect(stored.split('\n').length).toBeGreaterThan(6)
    const issued = await database.pool.any(sql.type(z.object({ address: z.string() }))`
      select address from stealth_address where account_id = ${owner.accountId}`)
    expect(issued).toHaveLength(3)
    const secrets = [
      client,
      clientOfOwner,
      clientOfOwner.slice(0, clientOfOwner.lastIndexOf('.')),
      owner.accountId,
      owner.wallet.address,
      owner.headers['authorization']!,
      'somebody',
      requestId,
      ...vector.publicSignals.filter((signal) => BigInt(signal) > 1_000_000n),
      ...issued.map(({ address }) => address),
    ]
    expect(secrets.filter((secret) => stored.includes(secret.toLowerCase()))).toEqual([])
  })

  test('keep serving without an error when Redis goes away', async () => {
    expect(await askNonces(12, '198.51.100.2')).toEqual(ok(12))
    await redis.stop()
    // From here on each instance counts by itself: 20 and 20.
    const statuses = await askNonces(44, '198.51.100.2')
    expect(statuses).toEqual([...ok(40), 429, 429, 429, 429])
    const owner = await openAccount(urlOf(1))
    const [one, two] = [await issue(urlOf(0), owner, 'k'), await issue(urlOf(1), owner, 'k')]
    expect([one.status, two.text]).toEqual([201, one.text])
  })
})
