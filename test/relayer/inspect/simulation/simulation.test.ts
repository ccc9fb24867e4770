import { readFileSync } from 'node:fs'
import {
  encodeFunctionData,
  erc20Abi,
  getAddress,
  maxUint256,
  padHex,
  parseAbi,
  parseEther,
  toFunctionSelector,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { compileSolidity } from '../../../harness/compile-solidity.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { OWN_LIMITS } from '../../account/open-account.ts'

const source = readFileSync(new URL('./Hostile.sol', import.meta.url), 'utf8')
const { Hostile } = compileSolidity({ 'Hostile.sol': source }, { evmVersion: 'cancun' }) as {
  Hostile: { abi: Abi; bytecode: Hex }
}
const CHAIN = 31_337

interface Answer {
  success: boolean
  provider: string
  gasUsed: string | null
  failureReason: string | null
  error: string | null
  assetChangesComplete: boolean
  assetChanges: {
    type: string
    standard: string
    callIndex: number
    from: Address
    to: Address
    amount: string | null
    rawAmount: string
    unlimited: boolean
    token: { address: Address; symbol: string | null }
  }[]
  warnings: { code: string; address: Address | null }[]
}

let service: TestService
let payer: Payer
let client: Client
let token: Address
let hostile: Address
let from: Address

const somebody = () => privateKeyToAddress(generatePrivateKey())

beforeAll(async () => {
  service = await startTestService({ ...OWN_LIMITS })
  payer = await openPayer(service, 4)
  token = payer.chain.tokens[0]!.address
  client = await openNewClient({ url: service.url })
  from = (await client.receive()).address
  await payer.payNative(from, parseEther('1'))
  await payer.payToken(token, from, 100n)
  const hash = await payer.wallet.sender.deployContract({
    abi: Hostile.abi,
    bytecode: Hostile.bytecode,
  })
  const { contractAddress } = await payer.wallet.reader.waitForTransactionReceipt({ hash })
  hostile = getAddress(contractAddress ?? zeroAddress)
  await waitUntilIndexed(service, payer)
})
afterAll(() => service?.stop())

const simulate = (body: object, owner = client) =>
  owner.ask<Answer>('POST', '/v1/simulate', { chainId: CHAIN, from, ...body })
const toToken = (functionName: 'transfer' | 'approve', args: [Address, bigint]) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName, args }),
})
const toHostile = (functionName: string, ...args: readonly unknown[]) => ({
  to: hostile,
  data: encodeFunctionData({ abi: Hostile.abi, functionName, args }),
})
const codes = ({ warnings }: Answer) => warnings.map(({ code }) => code)

describe('what moves', () => {
  test('is whole, for people and machines, where one call takes little gas', async () => {
    const to = somebody()
    expect(await simulate(toToken('transfer', [to, 5n]))).toMatchObject({
      success: true,
      provider: 'evm',
      failureReason: null,
      error: null,
      assetChangesComplete: true,
      warnings: [],
      assetChanges: [
        {
          type: 'transfer',
          standard: 'erc20',
          from,
          to,
          amount: '0.000005',
          rawAmount: '5',
          token: { symbol: 'TUSD' },
        },
      ],
    })
    expect(await simulate({ to, value: '0x10' })).toMatchObject({
      assetChangesComplete: true,
      assetChanges: [
        { type: 'transfer', standard: 'native', rawAmount: '16', token: { address: zeroAddress } },
      ],
    })
  })

  test('by several calls is listed by call, all or nothing, and never as whole', async () => {
    const to = somebody()
    const answer = await simulate({ calls: [{ to, value: '7' }, toToken('transfer', [to, 60n])] })
    expect(answer).toMatchObject({ success: true, provider: 'rpc-simulate', assetChangesComplete: false })
    expect(answer.assetChanges.map(({ callIndex, rawAmount }) => [callIndex, rawAmount])).toEqual([
      [0, '7'],
      [1, '60'],
    ])
    const both = await simulate({ calls: [toToken('transfer', [to, 60n]), toToken('transfer', [to, 60n])] })
    expect(both).toMatchObject({ success: false, assetChanges: [], error: null })
    expect(both.failureReason).toBe(`ERC20InsufficientBalance(${from}, 40, 60)`)
  })

  test('of 16,000 collectibles in one event is listed in part', async () => {
    const answer = await simulate(toHostile('batch', 16_000n))
    expect(answer).toMatchObject({ success: true, assetChangesComplete: false })
    expect(answer.assetChanges).toHaveLength(500)
    expect(answer.assetChanges[0]).toMatchObject({ type: 'mint', standard: 'erc1155', amount: null })
  })
})

describe('an approval', () => {
  test('without limit names who may take, and that it has none', async () => {
    const spender = somebody()
    const answer = await simulate(toToken('approve', [spender, maxUint256]))
    expect(answer).toMatchObject({
      assetChangesComplete: true,
      assetChanges: [{ type: 'approval', from, to: spender, unlimited: true, rawAmount: String(maxUint256) }],
      warnings: [
        { code: 'UNLIMITED_APPROVAL', address: spender },
        { code: 'APPROVAL_TO_KEY', address: spender },
      ],
    })
    expect(codes(await simulate(toToken('approve', [hostile, 5n])))).toEqual([])
    expect(codes(await simulate(toToken('approve', [spender, 0n])))).toEqual([])
  })

  test('that the contract makes larger than it reports is not whole', async () => {
    expect(await simulate(toHostile('approve', hostile, 5n))).toMatchObject({ assetChangesComplete: true })
    expect(await simulate(toHostile('approveMore', hostile, 5n))).toMatchObject({
      success: true,
      assetChangesComplete: false,
      assetChanges: [{ type: 'approval', rawAmount: '5', unlimited: false }],
    })
  })

  test('of a whole collection is a warning, and taking it back is none', async () => {
    const answer = await simulate(toHostile('setApprovalForAll', hostile, true))
    expect(answer.assetChanges).toMatchObject([{ type: 'approval_for_all', rawAmount: '1', to: hostile }])
    expect(codes(answer)).toEqual(['OPERATOR_APPROVAL'])
    const back = await simulate(toHostile('setApprovalForAll', hostile, false))
    expect([back.assetChanges[0]?.rawAmount, codes(back)]).toEqual(['0', []])
  })
})

describe('a warning', () => {
  test('comes with calldata for an address without code, and with a call of oneself', async () => {
    const to = somebody()
    expect((await simulate({ to, data: '0xa9059cbb' })).warnings).toMatchObject([
      { code: 'CALL_TO_NO_CODE', address: to },
    ])
    expect(codes(await simulate({ to: from, value: '0' }))).toEqual(['SELF_CALL'])
    // ERC-7821 reads it as the account itself: this would give another key the address.
    const key = { expiry: 0, keyType: 2, isSuperAdmin: true, publicKey: padHex(somebody()) }
    const abi = parseAbi([
      'function authorize((uint40 expiry, uint8 keyType, bool isSuperAdmin, bytes publicKey) key)',
    ])
    const data = encodeFunctionData({ abi, functionName: 'authorize', args: [key] })
    const answer = await simulate({ to: zeroAddress, data })
    expect(answer).toMatchObject({ success: true, warnings: [{ code: 'SELF_CALL', address: from }] })
  })

  test('comes with money that moves between two addresses of the account', async () => {
    const { address: other } = await client.receive()
    expect((await simulate({ to: other, value: '1' })).warnings).toMatchObject([
      { code: 'LINKS_OWN_ADDRESSES', address: other },
    ])
    const stranger = await openNewClient({ url: service.url })
    expect(codes(await simulate({ to: other, value: '1' }, stranger))).toEqual([])
  })

  test('comes with a recipient that imitates one that the account knows', async () => {
    const twin = getAddress(`${from.slice(0, 10)}${'0'.repeat(24)}${from.slice(-8)}`)
    expect(codes(await simulate({ to: twin, value: '1' }))).toEqual(['LOOKALIKE_RECIPIENT'])
  })

  test('comes with a contract that could distinguish a simulation from the chain, and what it would do there', async () => {
    const thief = somebody()
    const answer = await simulate({ ...toHostile('redPill', thief), value: '5' })
    expect(answer).toMatchObject({ success: true, provider: 'evm' })
    expect(answer.assetChanges.map(({ to, rawAmount }) => [to, rawAmount])).toContainEqual([thief, '5'])
    expect(codes(answer)).toEqual(['ENVIRONMENT_READ'])
  })
})

test('an address of the account calls as it will on chain: with code, and sent by another', async () => {
  const refused = await simulate(toHostile('onlyKeys'))
  expect(refused).toMatchObject({ success: false, failureReason: 'no contracts' })
  const { address } = await client.receive()
  expect(await simulate({ ...toHostile('onlyKeys'), from: address })).toMatchObject({ success: false })
  const stranger = await openNewClient({ url: service.url })
  const anybody = await simulate(toHostile('onlyKeys'), stranger)
  expect(anybody).toMatchObject({ success: true, provider: 'evm' })
})

describe('a failure', () => {
  test.each<[string, () => object, string]>([
    [
      "gives the contract's words, on one line of visible characters",
      () => toHostile('say', 'ok\u202e\u0000\n<script>'),
      'ok <script>',
    ],
    ['says nothing where nothing is said', () => toHostile('failSilently'), 'reverted without a reason'],
    ['names a panic', () => toHostile('divide', 0n), 'Panic(0x12 division or modulo by zero)'],
    [
      'shows the bytes of an error that nobody knows',
      () => toHostile('fail', 5n),
      `unknown error ${toFunctionSelector('Unheard(uint256)')}${'5'.padStart(64, '0')}`,
    ],
    ['names missing funds', () => ({ to: somebody(), value: String(parseEther('2')) }), 'insufficient funds'],
  ])('%s', async (_, call, reason) => {
    const answer = await simulate(call())
    expect(answer).toMatchObject({
      success: false,
      error: null,
      assetChanges: [],
      assetChangesComplete: false,
    })
    expect(answer.failureReason).toBe(reason)
  })
})

describe('a request', () => {
  test.each<[string, object, string]>([
    ['with both forms', { to: zeroAddress, calls: [{ to: zeroAddress }] }, 'either calls, or to'],
    ['with none', {}, 'body.to'],
    ['with 17 calls', { calls: Array.from({ length: 17 }, () => ({ to: zeroAddress })) }, '400'],
    ['with too much calldata', { to: zeroAddress, data: `0x${'00'.repeat(122_881)}` }, '122880 bytes'],
    ['with a negative value', { to: zeroAddress, value: '-1' }, '400'],
    ['for a chain that is not served', { chainId: 5, to: zeroAddress }, 'CHAIN_NOT_SUPPORTED'],
  ])('%s is refused', async (_, body, reason) => {
    await expect(simulate(body)).rejects.toThrow(reason)
  })

  test('by GraphQL is answered alike', async () => {
    const query = `query ($input: SimulateBodyInput!) { simulate(input: $input) { success assetChangesComplete assetChanges { type rawAmount } } }`
    const { data } = await client.ask<{ data: unknown }>('POST', '/graphql', {
      query,
      variables: { input: { chainId: CHAIN, from, ...toToken('transfer', [somebody(), 5n]) } },
    })
    expect(data).toEqual({
      simulate: {
        success: true,
        assetChangesComplete: true,
        assetChanges: [{ type: 'transfer', rawAmount: '5' }],
      },
    })
  })
})

test('a call that uses up all the gas of a simulation has no known end', async () => {
  expect(await simulate(toHostile('loop'))).toMatchObject({
    success: false,
    failureReason: null,
    error: expect.stringMatching(/^SIMULATION_LIMIT: /),
  })
})

test('twenty bombs of one account leave a place for the transfer of another', async () => {
  const bomber = await openNewClient({ url: service.url })
  let left = 20
  const bombs = Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await simulate(toHostile('spin'), bomber)
      left -= 1
      return answer
    }),
  )
  const honest = await simulate(toToken('transfer', [somebody(), 5n]))
  expect(left).toBeGreaterThan(10)
  expect(honest).toMatchObject({ success: true, assetChangesComplete: true })
  // The node alone runs a long loop, and its answer is shown.
  for (const bomb of await bombs)
    expect(bomb).toMatchObject({ provider: 'rpc-simulate', assetChangesComplete: false })
})
