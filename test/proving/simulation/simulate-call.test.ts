import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { concatHex, encodeFunctionData, numberToHex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProvingPool } from '../../../proving/create-proving-pool.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { SimulateJob } from '../../../proving/simulate-job.ts'
import { methodMissing, startNodeDoor, type Doorkeeper } from './start-node-door.ts'
import { SENDER, startRevertingContract } from './start-reverting-contract.ts'

let chain: Awaited<ReturnType<typeof startRevertingContract>>
beforeAll(async () => {
  chain = await startRevertingContract()
})
afterAll(() => chain.stop())

let pool: ProvingPool
beforeAll(async () => {
  pool = await createProvingPool({ threads: 1, commitmentKeys: [] })
})
afterAll(() => pool.close())

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function makeJob(
  functionName: string,
  args: readonly unknown[] = [],
  changes: Partial<SimulateJob> = {},
): SimulateJob {
  const data = encodeFunctionData({ abi: chain.abi, functionName, args })
  return {
    rpcUrls: [chain.url],
    call: { from: SENDER, to: chain.address, data, value: 0n, gas: 1_000_000n },
    errorAbi: chain.abi,
    timeoutMs: 5_000,
    ...changes,
  }
}

async function openDoor(keeper?: Doorkeeper) {
  const door = await startNodeDoor(chain.url, keeper)
  stops.push(door.stop)
  return door
}

/** A server that is not a node. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const missing =
  (...methods: string[]): Doorkeeper =>
  ({ method }) =>
    methods.includes(method) ? methodMissing : null

describe.each([
  ['rpc-simulate', []],
  ['rpc-trace', ['eth_simulateV1']],
  ['evm', ['eth_simulateV1', 'debug_traceCall']],
  ['rpc-call', ['eth_simulateV1', 'debug_traceCall', 'eth_getBlockByNumber']],
])('%s', (provider, absent) => {
  let url: string
  beforeEach(async () => {
    ;({ url } = await openDoor(missing(...absent)))
  })
  const simulate = (name: string, args: readonly unknown[] = []) =>
    pool.simulate({ ...makeJob(name, args), rpcUrls: [url] })

  test.each<[string, readonly unknown[], string | null, string | RegExp]>([
    ['fail', [], 'Error', 'plain text'],
    ['failWithError', [5n], 'Refused', `${SENDER}, 5`],
    ['failNested', [7n], 'Wrapped', /^0x[0-9a-fA-F]{40}, Refused\(0x[0-9a-fA-F]{40}, 7\)$/],
    ['divide', [0n], 'Panic', '0x12 division or modulo by zero'],
    ['failSilently', [], null, /revert|execution failed/],
    ['burnAllGas', [], null, /gas|execution failed/i],
  ])('%s(%o) fails as %s', async (name, args, errorName, text) => {
    const outcome = await simulate(name, args)
    expect(outcome).toMatchObject({ success: false, provider, revert: { name: errorName } })
    if (outcome.success) throw new Error('unreachable')
    if (typeof text === 'string') expect(outcome.revert.text.toLowerCase()).toBe(text.toLowerCase())
    else expect(outcome.revert.text).toMatch(text)
  })

  test('an error that is not in the ABI is returned as data', async () => {
    const job = { ...makeJob('failWithError', [5n]), rpcUrls: [url], errorAbi: [] }
    expect(await pool.simulate(job)).toMatchObject({
      success: false,
      revert: { name: null, text: expect.stringMatching(/^0x[0-9a-f]{136}$/) },
    })
  })

  test.each<[string, readonly unknown[]]>([
    ['log', [3n]],
    ['logAround', []],
  ])('%s agrees with its receipt', async (name, args) => {
    const outcome = await simulate(name, args)
    const hash = await chain.client.writeContract({
      address: chain.address,
      abi: chain.abi,
      functionName: name,
      args,
      gas: 1_000_000n,
    })
    const receipt = await chain.client.waitForTransactionReceipt({ hash })
    if (!outcome.success) throw new Error(outcome.revert.text)
    expect(outcome.provider).toBe(provider)
    // An estimate is the gas that must be offered, which is never less than the gas used.
    if (provider === 'rpc-call') expect(outcome.gasUsed).toBeGreaterThanOrEqual(receipt.gasUsed)
    else expect(outcome.gasUsed).toBe(receipt.gasUsed)
    const logs = provider === 'rpc-call' ? [] : receipt.logs
    expect(outcome.logs).toEqual(logs.map(({ address, topics, data }) => ({ address, topics, data })))
  })
})

test("an unaffordable call fails with the node's message", async () => {
  const { call, ...rest } = makeJob('log', [1n])
  const poor = {
    ...rest,
    call: { ...call, from: '0x00000000000000000000000000000000000000aa' as const, value: 1n },
  }
  expect(await pool.simulate(poor)).toMatchObject({
    success: false,
    gasUsed: null,
    revert: { name: null, text: expect.stringMatching(/funds/i) },
  })
})

test('pending transactions do not count, since their sender may replace them', async () => {
  const poor = '0x00000000000000000000000000000000000000bb'
  const { call, ...rest } = makeJob('log', [1n])
  const job = { ...rest, call: { ...call, from: poor, value: 1_000n } } as const
  await chain.client.setAutomine(false)
  await chain.client.sendTransaction({ to: poor, value: 10n ** 18n })
  expect(await pool.simulate(job)).toMatchObject({ success: false })
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  expect(await pool.simulate(job)).toMatchObject({ success: true })
})

test('the abilities of a node are learned once, then one round trip is enough', async () => {
  const door = await openDoor(missing('eth_simulateV1'))
  const job = makeJob('log', [1n], { rpcUrls: [door.url] })
  await pool.simulate(job)
  expect(door.trips).toEqual([['eth_simulateV1'], ['debug_traceCall']])
  door.trips.length = 0
  await pool.simulate(job)
  await pool.simulate({ ...makeJob('fail'), rpcUrls: [door.url] })
  expect(door.trips).toEqual([['debug_traceCall'], ['debug_traceCall']])
})

describe('a node that can only run calls', () => {
  const onlyCalls = missing('eth_simulateV1', 'debug_traceCall')

  test('our EVM runs the simulation, and the node is not asked for more again', async () => {
    const door = await openDoor(onlyCalls)
    const job = makeJob('log', [3n], { rpcUrls: [door.url] })
    const { done } = pool.stats().tasks.simulate
    expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'evm' })
    expect(door.trips.slice(0, 2)).toEqual([['eth_simulateV1'], ['debug_traceCall']])
    expect(pool.stats().tasks.simulate.done).toBe(done + 1)
    door.trips.length = 0
    expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'evm' })
    const asked = door.trips.flat()
    for (const method of ['eth_simulateV1', 'debug_traceCall', 'eth_call', 'eth_estimateGas'])
      expect(asked).not.toContain(method)
  })

  test('a call that the EVM gives up is sent to the node', async () => {
    const door = await openDoor(onlyCalls)
    const { call, ...job } = makeJob('burnAllGas', [], { rpcUrls: [door.url] })
    // 40 million steps, each of which shifts an exponent of 5 MB; the node is faster.
    const power = concatHex([...[1, 5_000_000, 1].map((size) => pad(numberToHex(size))), '0x03ffff'])
    const to = pad('0x05', { size: 20 })
    const outcome = await pool.simulate({ ...job, call: { ...call, to, data: power, gas: 16_000_000n } })
    expect(outcome.provider).toBe('rpc-call')
    expect(door.trips.flat()).toContain('eth_call')
  })

  test('another node of the chain with more abilities is asked instead', async () => {
    const [first, second] = [await openDoor(onlyCalls), await openDoor()]
    const job = makeJob('log', [3n], { rpcUrls: [first.url, second.url] })
    expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'rpc-simulate' })
  })

  test('another node that does not answer changes nothing', async () => {
    const [silent, door] = [await serve((request) => request.socket.destroy()), await openDoor(onlyCalls)]
    const job = makeJob('log', [3n], { rpcUrls: [silent, door.url] })
    expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'evm' })
  })
})

test('a method that answers in another format counts as missing', async () => {
  const door = await openDoor(({ method }) =>
    method === 'eth_simulateV1' ? { result: [{ calls: 'none' }] } : null,
  )
  const job = makeJob('log', [1n], { rpcUrls: [door.url] })
  expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'rpc-trace' })
})

describe('a transaction with fees in the next block', () => {
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  async function makeFullJob(url: string, functionName = 'log', args: readonly unknown[] = [1n]) {
    const head = await chain.client.getBlock()
    const block = {
      number: head.number + 1n,
      timestamp: head.timestamp + 12n,
      baseFeePerGas: head.baseFeePerGas ?? 0n,
      blobBaseFee: null,
      coinbase: head.miner,
      prevRandao: head.mixHash,
    }
    return makeJob(functionName, args, { rpcUrls: [url], fees, block })
  }
  /** A call for a node to run, and its block. */
  type Asked = { params: unknown[] }
  const blockOf = ({ params }: Asked) =>
    (params[0] as { blockStateCalls: { blockOverrides: object }[] }).blockStateCalls[0]!.blockOverrides

  test('a node that runs it in the newest block gets the number of the next one from then on', async () => {
    const asked: Asked[] = []
    const door = await openDoor((message) => (asked.push(message), null))
    const job = await makeFullJob(door.url)
    await pool.simulate(job)
    await pool.simulate(job)
    expect(asked.map((message) => 'number' in blockOf(message))).toEqual([false, true, true])
  })

  test.each([-38_020, -38_021])(
    'a node that knows a newer block than we do (%i) decides on number and time, this once',
    async (code) => {
      const asked: Asked[] = []
      const door = await openDoor((message) => {
        asked.push(message)
        return 'time' in blockOf(message) ? { error: { code, message: 'must be in order' } } : null
      })
      const job = await makeFullJob(door.url)
      expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'rpc-simulate' })
      expect(asked.map((message) => Object.keys(blockOf(message)).toSorted())).toEqual([
        ['baseFeePerGas', 'feeRecipient', 'prevRandao', 'time'],
        ['baseFeePerGas', 'feeRecipient', 'prevRandao'],
      ])
      await pool.simulate(job)
      expect('time' in blockOf(asked[2]!)).toBe(true)
    },
  )

  test.each([
    [-32_602, 'Transaction conversion error'],
    [-32_603, 'InvalidBlockException'],
  ])('a node that does not validate (%i) is asked without validation from then on', async (code, message) => {
    const asked: Asked[] = []
    const isValidated = ({ params }: Asked) => (params[0] as { validation: boolean }).validation
    const door = await openDoor((one) => {
      asked.push(one)
      return isValidated(one) ? { error: { code, message } } : null
    })
    const job = await makeFullJob(door.url)
    expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'rpc-simulate' })
    const learning = asked.map(isValidated)
    await pool.simulate(job)
    // The third request learns that this node needs the block number.
    expect(learning).toEqual([true, false, false])
    expect(asked.slice(3).map(isValidated)).toEqual([false])
    // The base fee is sent in every case, because nodes that do not validate would use 0.
    for (const one of asked) expect(blockOf(one)).toHaveProperty('baseFeePerGas')
  })

  test('a sender that cannot pay is no reason to ask without validation', async () => {
    const asked: Asked[] = []
    const refusal = { error: { code: -32_602, message: 'insufficient funds for gas * price + value' } }
    const door = await openDoor((one) => (asked.push(one), refusal))
    expect(await pool.simulate(await makeFullJob(door.url))).toMatchObject({ success: false })
    expect(asked).toHaveLength(1)
  })

  /**
   * A node that offers nothing better than `eth_call`; returns the requests with fees, which our own EVM never sends.
   */
  async function openCallOnly(refuse: (message: Asked & { method: string }) => string | null) {
    const asked: Asked[] = []
    const door = await openDoor((message) => {
      if (!/eth_call|eth_estimateGas/.test(message.method)) return methodMissing
      const hasFees = Object.hasOwn(message.params[0] as object, 'maxFeePerGas')
      if (!hasFees) return null
      asked.push(message)
      const refusal = refuse(message)
      return refusal === null ? null : { error: { code: -32_000, message: refusal } }
    })
    return { url: door.url, asked }
  }

  test('a node that takes no overrides of the block is given the fees without them from then on', async () => {
    const { url, asked } = await openCallOnly(({ params }) =>
      params.length > 3 ? 'too many arguments, want at most 3' : null,
    )
    const job = await makeFullJob(url)
    expect(await pool.simulate(job)).toMatchObject({ success: true, provider: 'rpc-call' })
    await pool.simulate(job)
    expect(asked.map(({ params }) => params.length)).toEqual([4, 4, 2, 2, 2, 2])
  })

  test('a refusal of the call itself is final', async () => {
    const { url, asked } = await openCallOnly(({ method }) => (method === 'eth_call' ? 'out of gas' : null))
    const job = await makeFullJob(url)
    expect(await pool.simulate(job)).toMatchObject({ success: false, provider: 'rpc-call' })
    expect(asked).toHaveLength(2)
  })
})

test.each<[string, object]>([
  [
    'nested data',
    {
      code: -32000,
      message: 'VM error',
      data: {
        originalError: { data: '0x4e487b710000000000000000000000000000000000000000000000000000000000000011' },
      },
    },
  ],
  [
    'data behind a word',
    {
      code: -32015,
      message: 'VM execution error.',
      data: 'Reverted 0x4e487b710000000000000000000000000000000000000000000000000000000000000011',
    },
  ],
  [
    'an internal error with data',
    {
      code: -32603,
      message: 'reverted',
      data: { data: '0x4e487b710000000000000000000000000000000000000000000000000000000000000011' },
    },
  ],
])('revert data is found in %s', async (_, error) => {
  const door = await openDoor(({ method }) =>
    method === 'eth_call' ? { error: error as never } : method === 'eth_estimateGas' ? null : methodMissing,
  )
  expect(await pool.simulate(makeJob('log', [1n], { rpcUrls: [door.url] }))).toMatchObject({
    success: false,
    provider: 'rpc-call',
    revert: { name: 'Panic', text: '0x11 arithmetic overflow or underflow' },
  })
})

/** A client, and how it says that it has not the block of a request or its state. */
const LACKING: [string, number, string][] = [
  ['anvil', -32602, 'BlockOutOfRangeError: block height is 148 but requested was 149'],
  ['geth', -32000, 'header not found'],
  [
    'geth without the state',
    -32000,
    'missing trie node 5fd2 (path ) state 0x5fd2 is not available, not found',
  ],
  ['bor', -32000, 'unknown block'],
  ['Erigon', -32000, 'block 149 not found'],
  ['Nethermind', -32001, 'No state available for block 0xab'],
  ['Besu', -32000, 'World state unavailable'],
  ['reth', -32001, 'block not found: latest'],
]

describe('a node is passed over when it', () => {
  test.each<[string, RequestListener]>([
    ['hangs up', (request) => request.socket.destroy()],
    ['says 500', (_, response) => void response.writeHead(500).end('<html>')],
    ['speaks another protocol', (_, response) => void response.end('{"hello":1}')],
    ['redirects', (_, response) => void response.writeHead(307, { location: chain.url }).end()],
    ['never answers', () => {}],
    [
      'answers without end',
      (_, response) => {
        response.on('drain', () => response.write(' '.repeat(65_536)))
        response.write(' '.repeat(65_536))
      },
    ],
    [
      'is over its limit',
      (_, response) => void response.end('{"id":0,"error":{"code":-32005,"message":"limit exceeded"}}'),
    ],
    ...LACKING.map(([client, code, message]): [string, RequestListener] => [
      `has lost the block by a reorg, or its state, in the words of ${client}`,
      (_, response) => void response.end(JSON.stringify({ id: 0, error: { code, message } })),
    ]),
  ])('%s', async (_, listener) => {
    const { done, failed } = pool.stats().tasks.simulate
    const rpcUrls = [await serve(listener), chain.url]
    expect(await pool.simulate(makeJob('log', [1n], { rpcUrls, timeoutMs: 6_000 }))).toMatchObject({
      success: true,
    })
    const alone = pool.simulate(makeJob('log', [1n], { rpcUrls: rpcUrls.slice(0, 1), timeoutMs: 500 }))
    await expect(alone).rejects.toMatchObject({ code: 'unavailable' })
    expect(pool.stats().tasks.simulate).toMatchObject({ done: done + 1, failed: failed + 1 })
  })
})

test('a contract that reverts with the words of a missing block is one that reverts', async () => {
  const message = 'execution reverted: header not found'
  const rpcUrls = [
    await serve(
      (_, response) => void response.end(JSON.stringify({ id: 0, error: { code: 3, message, data: '0x' } })),
    ),
  ]
  expect(await pool.simulate(makeJob('log', [1n], { rpcUrls }))).toMatchObject({ success: false })
})

test('a revert is an answer, so no other node is asked', async () => {
  const [first, second] = [await openDoor(), await openDoor()]
  await pool.simulate(makeJob('fail', [], { rpcUrls: [first.url, second.url] }))
  expect(first.trips).toHaveLength(1)
  expect(second.trips).toHaveLength(0)
})

test('simulations wait for their node in parallel', async () => {
  const waiting: (() => void)[] = []
  const url = await serve((_, response) => {
    waiting.push(() => response.end('{"id":0,"error":{"code":3,"message":"execution reverted","data":"0x"}}'))
    if (waiting.length >= 10) for (const answer of waiting) answer()
  })
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => pool.simulate(makeJob('fail', [], { rpcUrls: [url] }))),
  )
  expect(outcomes.every(({ success }) => !success)).toBe(true)
})
