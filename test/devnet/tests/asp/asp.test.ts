import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatEther, parseEther, type Hex } from 'viem'
import { associationSetsAbi } from '../../pool-events.ts'
import { waitForApproval } from '../../wallet/asp-client.ts'
import { connectWallet } from '../../wallet/connect-wallet.ts'
import { deposit } from '../../wallet/deposit.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { buildTree } from '../../../../schema/client/pool/merkle-proof.ts'
import { commitmentOf } from '../../../../schema/client/pool/note.ts'
import { entrypointAbi } from '../../../../relayer/chain/contracts/privacy-pools.ts'
import { deriveAccounts } from '../../accounts.ts'
import { at } from '../../../vectors/relay-story.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

const { clients } = deriveAccounts()
const [honest, declined] = [at(clients, 0), at(clients, 1)]
let test: TestDevnet

beforeAll(async () => {
  test = await startTestDevnet({ asp: true, aspDelaySeconds: 3, aspDecline: [declined.address] })
})
afterAll(() => test[Symbol.asyncDispose]())

const patience = () => AbortSignal.timeout(120_000)
const scopeOf = (index: number) => at(test.chain.pools, index).scope

async function depositInto(index: number, account: { privateKey: Hex }, gross: bigint) {
  const { asset, pool } = at(test.chain.pools, index)
  return deposit(connectWallet(test.chain, account.privateKey), { ...test.chain, asset, pool, gross })
}

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${test.devnet.asp!.url}${path}`, { headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as never }
}

const askPool = (topic: string, index = 0) =>
  ask(`/31337/public/${topic}`, { 'X-Pool-Scope': scopeOf(index) })

async function readRoots() {
  const { reader } = connectWallet(test.chain, honest.privateKey)
  return reader.getContractEvents({ address: test.chain.entrypoint, abi: associationSetsAbi, fromBlock: 0n })
}

describe('the ASP', () => {
  it('has no root and no leaves before the first deposit', async () => {
    expect((await askPool('mt-roots')).body).toEqual({ mtRoot: '0', createdAt: null, onchainMtRoot: null })
    expect((await askPool('mt-leaves')).body).toEqual({ aspLeaves: [], stateTreeLeaves: [] })
  })

  it('approves deposits of all pools in chain order, several with one root, but never those of declined depositors', async () => {
    const first = await depositInto(0, honest, parseEther('1'))
    const refused = await depositInto(0, declined, parseEther('2'))
    // Both in one block: they are approved together.
    const node = (method: string, ...params: unknown[]) =>
      askNode<{ pending: string }>(test.chain.rpcUrl, method, ...params)
    const untilPending = (count: number) =>
      expect.poll(async () => Number((await node('txpool_status')).pending)).toBe(count)
    await node('evm_setAutomine', false)
    const ofToken = depositInto(1, honest, 50_000_000n)
    await untilPending(1)
    // Its approval.
    await node('evm_mine')
    await untilPending(1)
    const ofCoins = depositInto(0, honest, parseEther('3'))
    await untilPending(2)
    await node('evm_setAutomine', true)
    await node('evm_mine')
    const [second, third] = [await ofToken, await ofCoins]
    const pool = { aspUrl: test.devnet.asp!.url, chainId: 31_337, scope: BigInt(scopeOf(0)) }
    const newest = async () => ((await askPool('events')).body as { events: unknown[] }).events[0]
    await expect.poll(newest, { interval: 20 }).toMatchObject({ txHash: third.hash, reviewStatus: 'pending' })

    const leaves = await waitForApproval(pool, third.note.label, patience())
    expect(leaves.aspLeaves).toEqual([first, second, third].map(({ note }) => note.label))
    expect(leaves.stateTreeLeaves).toEqual([first, refused, third].map(({ note }) => commitmentOf(note)))

    const root = buildTree(leaves.aspLeaves).root
    const { reader } = connectWallet(test.chain, honest.privateKey)
    const call = { address: test.chain.entrypoint, abi: entrypointAbi, functionName: 'latestRoot' } as const
    expect(await reader.readContract(call)).toBe(root)
    expect((await askPool('mt-roots')).body).toEqual({
      mtRoot: String(root),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      onchainMtRoot: String(root),
    })
    expect((await readRoots()).length).toBeLessThan(3)
  })

  it('lists the events of a pool, newest first, in pages', async () => {
    const { body } = await ask('/31337/public/events?page=1&perPage=2', { 'X-Pool-Scope': scopeOf(0) })
    expect(body).toMatchObject({
      events: [
        {
          type: 'deposit',
          amount: String(parseEther('2.985')),
          reviewStatus: 'approved',
          address: honest.address,
        },
        {
          type: 'deposit',
          amount: String(parseEther('1.99')),
          reviewStatus: 'declined',
          address: declined.address,
        },
      ],
      page: 1,
      perPage: 2,
      total: 3,
    })
  })

  it.each([
    ['status=declined', [['deposit', 'declined', '1.99']]],
    [
      'status=APPROVED&action=deposit',
      [
        ['deposit', 'approved', '2.985'],
        ['deposit', 'approved', '0.995'],
      ],
    ],
    ['status=approved&perPage=1', [['deposit', 'approved', '2.985']]],
    ['status=pending', []],
    ['action=withdrawal', []],
    ['action=ragequit', []],
  ])('filters events by %s', async (query, expected) => {
    const path = `/31337/public/events?${query}`
    const { status, body } = await ask(path, { 'X-Pool-Scope': scopeOf(0) })
    const { events, total } = body as { events: Record<string, string>[]; total: number }
    expect(status).toBe(200)
    expect(
      events.map(({ type, reviewStatus, amount }) => [type, reviewStatus, formatEther(BigInt(amount ?? ''))]),
    ).toEqual(expected)
    expect(total).toBe(query.includes('perPage') ? 2 : expected.length)
  })

  it('lists the events of all pools of all chains, newest first, with filters', async () => {
    const everything = (await ask('/global/public/events?page=1&perPage=3')).body
    expect(everything).toMatchObject({ page: 1, perPage: 3, total: 4 })
    const { events } = everything as { events: { eventId: number; pool: object }[] }
    expect(events).toHaveLength(3)
    expect(events[0]).toMatchObject({
      type: 'deposit',
      eventId: 4,
      amount: String(parseEther('2.985')),
      reviewStatus: 'approved',
      pool: {
        scope: scopeOf(0),
        chainId: 31_337,
        tokenSymbol: 'ETH',
        tokenAddress: at(test.chain.pools, 0).asset,
        poolAddress: at(test.chain.pools, 0).pool,
        denomination: '18',
      },
    })
    expect(events[1]).toMatchObject({ eventId: 3, pool: { tokenSymbol: 'TUSD', denomination: '6' } })
    expect((await ask('/global/public/events?status=declined')).body).toMatchObject({
      events: [{ address: declined.address, reviewStatus: 'declined' }],
      total: 1,
    })
  })

  it('reports statistics of a pool, of all time and of the last day', async () => {
    const sums = {
      tvl: String(parseEther('5.97')),
      avgDepositSize: String(parseEther('1.99')),
      totalDepositsCount: 3,
      totalDepositsValue: String(parseEther('5.97')),
      totalWithdrawalsCount: 0,
      totalWithdrawalsValue: '0',
    }
    expect((await askPool('pool-statistics')).body).toMatchObject({
      pool: {
        scope: scopeOf(0),
        chainId: '31337',
        tokenSymbol: 'ETH',
        tokenDecimals: 18,
        allTime: sums,
        last24h: sums,
      },
      cacheTimestamp: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
    })
  })

  it.each([
    ['1', 2, 66],
    [String(parseEther('0.995')), 2, 66],
    [String(parseEther('1')), 1, 33],
    [String(parseEther('3')), 0, 0],
  ])('counts approved deposits worth %s', async (amount, eligibleDeposits, percentage) => {
    expect((await askPool(`deposits-larger-than?amount=${amount}`)).body).toEqual({
      eligibleDeposits,
      totalDeposits: 3,
      percentage,
    })
  })

  it.each(['/health/liveness', '/31337/health/liveness'])('answers at %s that it is alive', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it.each([
    ['events?status=maybe', 'status has to be one of pending, approved, declined'],
    ['events?action=mint', 'action has to be one of deposit, withdrawal, exit, ragequit'],
    ['deposits-larger-than', 'amount has to be a decimal number'],
    ['deposits-larger-than?amount=0x1', 'amount has to be a decimal number'],
  ])('refuses %s', async (topic, message) => {
    expect(await askPool(topic)).toMatchObject({ status: 400, body: { message } })
  })

  it('sums up every pool', async () => {
    const { pools } = (await ask('/31337/public/pools-stats')).body as { pools: unknown[] }
    expect(pools).toMatchObject([
      {
        scope: scopeOf(0),
        totalInPoolValue: String(parseEther('5.97')),
        totalDepositsCount: 3,
        acceptedDepositsValue: String(parseEther('3.98')),
        acceptedDepositsCount: 2,
        pendingDepositsCount: 0,
      },
      { scope: scopeOf(1), tokenSymbol: 'TUSD', acceptedDepositsValue: '49750000' },
      { scope: scopeOf(2), totalDepositsCount: 0 },
    ])
  })

  it('reports the reviews of deposits by label', async () => {
    const { aspLeaves } = (await askPool('mt-leaves')).body as { aspLeaves: string[] }
    const headers = { 'X-Pool-Scope': scopeOf(0), 'X-Labels': `${at(aspLeaves, 0)},12345` }
    expect((await ask('/31337/public/deposits-by-label', headers)).body).toMatchObject([
      { label: at(aspLeaves, 0), reviewStatus: 'approved', amount: String(parseEther('0.995')) },
    ])
  })

  it.each([
    ['/31337/public/mt-leaves', {}, 400, 'Pool scope is required in X-Pool-Scope header'],
    ['/31337/public/mt-roots', { 'X-Pool-Scope': '0x12' }, 400, 'X-Pool-Scope has to be a decimal number'],
    ['/31337/public/mt-roots', { 'X-Pool-Scope': '7' }, 404, 'No pool of this chain has the scope 7'],
    ['/1/public/pools-stats', {}, 404, 'Chain 1 is not known here'],
    ['/31337/public/nothing', {}, 404, 'There is nothing at /31337/public/nothing'],
    ['/', {}, 404, 'There is nothing at /'],
    ['//', {}, 404, 'There is nothing at //'],
  ])('answers %s with %o by %i', async (path, headers, status, message) => {
    const answer = await ask(path, headers)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ message })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('refuses invalid pages', async () => {
    const answer = await ask('/31337/public/events?page=0', { 'X-Pool-Scope': scopeOf(0) })
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'page has to be a whole number from 1 on' },
    })
  })

  it('declines a depositor by command, which no page of another site can send', async () => {
    const told = at(clients, 2)
    const command = JSON.stringify({ command: 'decline', depositor: told.address })
    const tell = (body: string, type = 'application/json', method = 'POST') =>
      fetch(`${test.devnet.asp!.url}/commands`, { method, headers: { 'content-type': type }, body })
    for (const wrong of ['', '{', '{"command":"decline"}', command.replace('0x', '0y'), ' '.repeat(5_000)])
      expect((await tell(wrong)).status, wrong.slice(0, 40)).toBe(400)
    expect((await tell(command, 'text/plain')).status).toBe(400)
    const preflight = await fetch(`${test.devnet.asp!.url}/commands`, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])

    expect(await (await tell(command)).json()).toEqual({ command: 'decline', depositor: told.address })
    const { hash } = await depositInto(0, told, parseEther('1'))
    await expect
      .poll(async () => (await askPool('events?status=declined')).body)
      .toMatchObject({ events: [{ txHash: hash }, { address: declined.address }], total: 2 })
  })

  it('restarts after a crash with the same set and without another root', async () => {
    const before = (await askPool('mt-leaves')).body
    const roots = (await readRoots()).length
    process.kill(findAspProcess(), 'SIGKILL')
    await expect.poll(() => askPool('mt-leaves').catch(() => null)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await askPool('mt-leaves')).body).toEqual(before)
    expect((await askPool('events?status=declined')).body).toMatchObject({ total: 2 })
    await depositInto(2, honest, parseEther('50'))
    await expect.poll(async () => (await readRoots()).length).toBe(roots + 1)
  })
})

/** The one child of this process that runs the ASP's program. */
function findAspProcess(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ')
  const isAsp = (pid: string) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('neighbours-process.ts')
  return Number(children.find(isAsp))
}
