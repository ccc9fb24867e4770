import { LeanIMT } from '@zk-kit/lean-imt'
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { createWalletClient, http, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { poolAbi, entrypointAbi } from '../../../../relayer/chain/contracts/privacy-pools.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { deposit } from '../../../devnet/wallet/deposit.ts'
import { hashTreeNode } from '../../../devnet/note-hashes.ts'
import type { poolCommitments, poolState } from '../../../../schema/pool/account/model.ts'
import { openClient } from '../../../../schema/client/account/open-client.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { subscribe } from '../../../harness/subscribe.ts'

type Client = Awaited<ReturnType<typeof openClient>>
type State = z.input<typeof poolState>

const CHAIN = 31_337
let service: TestService
let payer: Payer
let client: Client

beforeAll(async () => {
  service = await startTestService({
    devnet: { ports: [0, 0], deterministic: true, aspDelaySeconds: 0, chainIds: [CHAIN] },
  })
  payer = await openPayer(service, 5)
  client = await openAccount()
})
afterAll(() => service?.stop())

const openAccount = () =>
  openClient({ url: service.url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })
const native = () => payer.chain.pools[0]!
const pathOf = (of: Client, query = '', token: string = zeroAddress, what = 'state') =>
  `/v1/accounts/${of.accountId}/pool/${what}?chainId=${CHAIN}&token=${token}${query}`
const read = (query = '', of = client) => of.ask<State>('GET', pathOf(of, query))
const rootOf = (leaves: readonly string[]) =>
  String(new LeanIMT<bigint>(hashTreeNode, leaves.map(BigInt)).root)

/** Deposits by a stranger, or by a new address of an account. */
async function depositInto(owner: Client | null, ether: string) {
  const wallet = connectWallet(payer.chain, generatePrivateKey())
  const received = await owner?.receive()
  const account = received && owner ? owner.controlOf(received.nonce) : wallet.account
  await payer.payNative(account.address, parseEther(ether) + parseEther('0.1'))
  const sender = createWalletClient({
    account,
    chain: wallet.reader.chain,
    transport: http(payer.chain.rpcUrl),
  })
  const { entrypoint } = payer.chain
  const gross = parseEther(ether)
  const target = { entrypoint, asset: native().asset, pool: native().pool, gross }
  return (await deposit({ ...wallet, account, sender }, target)).note
}

const chainRoot = () =>
  payer.wallet.reader.readContract({ address: native().pool, abi: poolAbi, functionName: 'currentRoot' })
const latestAspRoot = () =>
  payer.wallet.reader.readContract({
    address: payer.chain.entrypoint,
    abi: entrypointAbi,
    functionName: 'latestRoot',
  })
/**
 * Waits until this many deposits are approved and the service gives the chain's roots; not by HTTP, which has limits.
 */
async function waitForSize(size: number): Promise<void> {
  const isReached = async () => {
    const state = await readDirectly()
    if (!('treeSize' in state) || state.aspLeaves.count !== size) return false
    return state.currentRoot === (await chainRoot()) && state.aspRoot === (await latestAspRoot())
  }
  await expect.poll(isReached).toBe(true)
}
const readDirectly = () =>
  service.services.accountPools
    .readState(client.accountId, { chainId: CHAIN, token: zeroAddress })
    .catch(({ code }: { code: string }) => ({ code }))

const readStatus = async () => {
  const { commitments } = await client.ask<z.input<typeof poolCommitments>>(
    'GET',
    pathOf(client, '', zeroAddress, 'commitments'),
  )
  return commitments[0]?.aspStatus
}

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}
/** Asks without fetch's own additions: compression above all. */
function askRaw(of: Client, path: string, headers: Record<string, string>): Promise<Raw> {
  const url = new URL(service.url + path)
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { headers: { authorization: `Bearer ${of.token}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

test('a pool without deposits has an empty state', async () => {
  await expect.poll(readDirectly).toMatchObject({ treeSize: 0 })
  expect(await read()).toEqual({
    leaves: [],
    currentRoot: '0',
    treeSize: 0,
    prefixRoot: null,
    aspLeaves: [],
    aspRoot: null,
    spentNullifiers: [],
    ragequits: [],
    crowd: [],
    nextDepositIndex: 0,
    commitments: [],
  })
})

/** Events of the account's first deposit until its approval. */
const reviews: { deposit: { standing: string }; commitment: object | null }[] = []

async function followReviews(): Promise<void> {
  const query = `subscription { accountEvents {
    cursor ... on DepositReviewed { deposit { standing } commitment { ${NOTE} } } } }`
  const stream = await subscribe(service.url, query, client.token)
  await stream.next()
  const read = async () => {
    while (reviews.at(-1)?.deposit.standing !== 'approved') {
      const { accountEvents } = ((await stream.next()) as { data: { accountEvents: { deposit?: object } } })
        .data
      if (accountEvents.deposit) reviews.push(accountEvents as (typeof reviews)[number])
    }
    stream.leave()
  }
  following = read()
}
let following: Promise<void> | undefined

test("the whole state hashes to the chain's roots and has the account's notes", async () => {
  await followReviews()
  for (const [owner, ether] of [
    [null, '0.3'],
    [client, '0.5'],
    [null, '2'],
  ] as const)
    await depositInto(owner, ether)
  await waitForSize(3)
  await expect.poll(readStatus).toBe('approved')
  await following
  const state = await read()
  expect(rootOf(state.leaves)).toBe(String(await chainRoot()))
  expect(rootOf(state.aspLeaves)).toBe(String(await latestAspRoot()))
  expect(state).toMatchObject({
    currentRoot: rootOf(state.leaves),
    treeSize: 3,
    prefixRoot: null,
    aspRoot: rootOf(state.aspLeaves),
    spentNullifiers: [],
    ragequits: [],
    // None of them looks as accounts' deposits do.
    crowd: [],
    nextDepositIndex: 0,
  })
  const [commitment] = state.commitments
  expect(state.commitments).toEqual([
    {
      id: commitment?.label,
      depositIndex: null,
      withdrawalIndex: 0,
      commitment: state.leaves[1],
      label: state.aspLeaves[1],
      value: commitment?.value,
      aspStatus: 'approved',
      known: 'deposit',
    },
  ])
  expect(await client.ask('GET', pathOf(client, '', zeroAddress, 'commitments'))).toEqual({
    commitments: state.commitments,
  } satisfies z.input<typeof poolCommitments>)
  const other = await openAccount()
  expect(await read('', other)).toEqual({ ...state, commitments: [] })
})

const NOTE = 'id commitmentId label value aspStatus chain { chainId } token { symbol }'

test('a note is a node, and the event of its review brings it as its list has it', async () => {
  const list = `commitments(chainId: ${CHAIN}, token: "${zeroAddress}") { totalCount nodes { ${NOTE} } }`
  const ask = async (query: string, of = client) =>
    (await of.ask<{ data: Record<string, unknown> }>('POST', '/graphql', { query })).data
  const { commitments } = (await read()) as { commitments: { id: string; value: string }[] }
  const [known] = commitments
  const { viewer } = (await ask(`{ viewer { account { ${list} } } }`)) as {
    viewer: { account: { commitments: { nodes: { id: string }[] } } }
  }
  const [note] = viewer.account.commitments.nodes
  expect(viewer.account.commitments).toEqual({
    totalCount: 1,
    nodes: [
      {
        id: note?.id,
        commitmentId: known?.id,
        label: known?.id,
        value: known?.value,
        aspStatus: 'approved',
        chain: { chainId: CHAIN },
        token: { symbol: 'ETH' },
      },
    ],
  })
  const again = `{ node(id: "${note?.id}") { ... on Commitment { ${NOTE} } } }`
  expect(await ask(again)).toEqual({ node: note })
  expect(await ask(again, await openAccount())).toEqual({ node: null })
  const approved = reviews.find(({ deposit }) => deposit.standing === 'approved')
  expect(approved?.commitment).toEqual(note)
})

test('an answer is one gzip member or plain, and none is sent where the client has its version', async () => {
  const reader = await openAccount()
  const plain = await askRaw(reader, pathOf(reader), {})
  expect(plain.headers['content-encoding']).toBeUndefined()
  const packed = await askRaw(reader, pathOf(reader), { 'accept-encoding': 'br, gzip' })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/json' })
  expect(String(packed.headers['vary'])).toContain('accept-encoding')
  expect(gunzipSync(packed.body)).toEqual(plain.body)
  expect(Number(packed.headers['content-length'])).toBe(packed.body.length)
  // A browser stops after the first member.
  expect(packed.body.subarray(1).indexOf(Buffer.from([0x1f, 0x8b, 8]))).toBe(-1)
  const etag = String(plain.headers['etag'])
  expect(packed.headers['etag']).toBe(etag)
  for (const condition of [etag, `"other", ${etag}`, etag.replace('W/', '')]) {
    const again = await askRaw(reader, pathOf(reader), { 'if-none-match': condition })
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag])
  }
  // The version of another account, and of another question, is another one.
  const tail = await askRaw(reader, pathOf(reader, '&fromIndex=1'), { 'if-none-match': etag })
  const owner = await askRaw(client, pathOf(client), { 'if-none-match': etag })
  expect([tail.status, owner.status]).toEqual([200, 200])
})

test('a tail begins where the client ends, with the root that it must have', async () => {
  const whole = await read()
  const tail = await read('&fromIndex=2&fromSpent=0&aspFromIndex=1')
  expect(tail).toEqual({
    ...whole,
    leaves: whole.leaves.slice(2),
    aspLeaves: whole.aspLeaves.slice(1),
    prefixRoot: rootOf(whole.leaves.slice(0, 2)),
  })
  expect(await read('&fromIndex=3')).toMatchObject({ leaves: [], prefixRoot: whole.currentRoot })
  for (const beyond of [
    'fromIndex=4',
    'fromSpent=1',
    'aspFromIndex=4',
    'fromIndex=-1',
    'fromIndex=1.5',
    'fromIndex=x',
  ])
    await expect(read(`&${beyond}`), beyond).rejects.toThrow(/: 400 /)
})

test('the same is answered by GraphQL, and pools that are not there are refused', async () => {
  const reader = await openAccount()
  const members = `leaves currentRoot treeSize prefixRoot aspLeaves aspRoot nextDepositIndex crowd { atLeast deposits }
    spentNullifiers { nullifierHash withdrawnValue newCommitment } ragequits { commitment label value }
    commitments { id depositIndex withdrawalIndex commitment label value aspStatus known }`
  const query = `{ poolState(accountId: "${reader.accountId}", chainId: ${CHAIN}, token: "${zeroAddress}", fromIndex: 1) { ${members} } }`
  const { data } = await reader.ask<{ data: { poolState: State } }>('POST', '/graphql', { query })
  expect(data.poolState).toEqual(await read('&fromIndex=1', reader))
  for (const [chain, token, refusal] of [
    [5, zeroAddress, /: 400 .*CHAIN_NOT_SUPPORTED/],
    [CHAIN, privateKeyToAddress(generatePrivateKey()), /: 400 .*POOL_NOT_FOUND/],
  ] as const)
    for (const what of ['state', 'commitments'])
      await expect(
        client.ask('GET', `/v1/accounts/${client.accountId}/pool/${what}?chainId=${chain}&token=${token}`),
      ).rejects.toThrow(refusal)
  await expect(reader.ask('GET', pathOf(client))).rejects.toThrow(/: 40[34] /)
})

test('an account gets six whole answers in a minute, and tails beyond', async () => {
  const reader = await openAccount()
  for (let time = 0; time < 6; time += 1) await read('', reader)
  await expect(read('', reader)).rejects.toThrow(/: 429 .*whole answers/)
  expect(await read('&fromIndex=1', reader)).toMatchObject({ treeSize: 3 })
})

test('leaves that a reorg takes back are gone, and the prefix reveals it to a client that had them', async () => {
  const before = await read('&fromIndex=1')
  await depositInto(null, '0.7')
  await waitForSize(4)
  const taken = await read('&fromIndex=3')
  const snapshot = await payer.wallet.reader.getBlockNumber()
  await askNode(payer.chain.rpcUrl, 'anvil_rollback', Number(snapshot - (await blockOfLeaf(4)) + 1n))
  await depositInto(null, '0.9')
  await waitForSize(4)
  const after = await read('&fromIndex=4')
  expect(after.currentRoot).toBe(String(await chainRoot()))
  expect(after.prefixRoot).not.toBe(taken.currentRoot)
  const tail = await read('&fromIndex=3')
  expect(tail.prefixRoot).toBe(before.currentRoot)
  expect(tail.leaves).not.toEqual(taken.leaves)
})

const blockOfLeaf = (index: number) =>
  service.database.pool.oneFirst(sql.unsafe`select block_number from pool_event where kind = 'leaf'
    and contract = ${native().pool} and leaf_index = ${index}`) as Promise<bigint>

test('the service never serves incomplete leaves, or leaves that are not of the chain', async () => {
  const good = await read('&fromIndex=1')
  const run = sql.typeAlias('void')
  const { pool } = service.database
  // A leaf is missing: the last good state is served while its roots are those of the chain.
  await pool.query(run`update pool_event set leaf_index = 99 where kind = 'leaf' and contract = ${native().pool}
    and leaf_index = 2`)
  await pool.query(run`update pool_event set log_index = log_index + 1000 where kind = 'leaf'
    and contract = ${native().pool} and leaf_index = 4`)
  expect(await read('&fromIndex=4')).toMatchObject({ currentRoot: good.currentRoot, leaves: [] })
  // Once the provider's list is another one, that state is not of the chain either.
  await depositInto(null, '0.2')
  await waitUntilIndexed(service, payer)
  await expect.poll(() => read('&fromIndex=4').catch(String)).toMatch(/503 .*POOL_STATE_REFRESHING/)
})
