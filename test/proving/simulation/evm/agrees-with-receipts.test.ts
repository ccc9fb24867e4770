import {
  concatHex,
  encodeFunctionData,
  numberToHex,
  pad,
  parseAbi,
  sha256,
  toHex,
  zeroHash,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeRelay } from '../../../../relayer/pool/relay/encode-relay.ts'
import { loadRelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { at } from '../../../vectors/relay-story.ts'
import { callOf, ONE, startEvmChain, type Call, type Contract, type EvmChain } from './start-evm-chain.ts'
import { PRECOMPILE_INPUTS } from './precompile-inputs.ts'

const NOBODY: Address = '0x00000000000000000000000000000000000a11ce'
const vectors = loadRelayVectors()

let chain: EvmChain
let machine: Contract
let sink: Contract
let mortal: Contract
let weth: Contract
let collectibles: Contract
const tokens: Contract[] = []
beforeAll(async () => {
  chain = await startEvmChain({ hasVectorDeposits: true })
  machine = await chain.deploy('Machine', [], ONE)
  sink = await chain.deploy('Sink')
  mortal = await chain.deploy('Mortal', [], ONE)
  weth = await chain.deploy('WETH9')
  collectibles = await chain.deploy('Collectibles')
  for (let oddity = 0; oddity <= 10; oddity++) tokens.push(await chain.deploy('OddToken', [oddity]))
})
afterAll(() => chain.close())

const run = (name: string, args: readonly unknown[] = [], options = {}) =>
  callOf(machine, name, args, options)
const send = (to: Address, value: bigint, data: Hex = '0x'): Call => ({ to, data, value, gas: 100_000n })

async function expectAgreement(
  call: Call,
  expected: 'success' | 'reverted' = 'success',
  authorizations: NonNullable<Parameters<EvmChain['simulate']>[1]>['authorizations'] = [],
  signed: Parameters<EvmChain['send']>[1] = {},
) {
  const outcome = await chain.simulate(call, { authorizations })
  const receipt = await chain.send(call, signed)
  expect(receipt.status).toBe(expected)
  const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }))
  expect({
    provider: outcome.provider,
    status: outcome.success ? 'success' : 'reverted',
    gasUsed: outcome.gasUsed,
    logs: outcome.success ? outcome.logs : [],
  }).toEqual({ provider: 'evm', status: expected, gasUsed: receipt.gasUsed, logs })
}

describe('the simulation agrees with the receipt about tokens:', () => {
  const ODDITIES = ['none', 'returns false', 'returns nothing', 'takes a fee', 'reverts with text', 'reverts with an error', 'panics', 'lies', 'legacy log', 'bad log', 'moves untold'] // prettier-ignore
  test.each([...ODDITIES.entries()])('transfer %i of a token that %s', async (index) => {
    const fails = index >= 4 && index <= 6
    await expectAgreement(
      callOf(at(tokens, index), 'transfer', [NOBODY, 1_000n]),
      fails ? 'reverted' : 'success',
    )
  })
  test('a second transfer to the same account', () =>
    expectAgreement(callOf(at(tokens, 0), 'transfer', [NOBODY, 5n])))
  test('a transfer of more than the balance', () =>
    expectAgreement(callOf(at(tokens, 0), 'transfer', [NOBODY, 10n ** 30n]), 'reverted'))
  test('an approval', () => expectAgreement(callOf(at(tokens, 0), 'approve', [machine.address, 9n])))
  test('transferFrom without an approval', () =>
    expectAgreement(callOf(at(tokens, 0), 'transferFrom', [NOBODY, machine.address, 9n]), 'reverted'))
  test('wrapping and unwrapping', async () => {
    await expectAgreement(callOf(weth, 'deposit', [], { value: 1_000n }))
    await expectAgreement(callOf(weth, 'withdraw', [400n]))
    await expectAgreement(callOf(weth, 'withdraw', [ONE]), 'reverted')
  })
  test('collectibles', async () => {
    await expectAgreement(callOf(collectibles, 'mint', [NOBODY, 7n]))
    await expectAgreement(callOf(collectibles, 'issueMany', [NOBODY, [1n, 2n], [3n, 4n]]))
  })
})

describe('the simulation agrees with the receipt about the native coin:', () => {
  test('a payment to an account', () => expectAgreement(send(chain.account.address, 1n)))
  test('a payment to a new account', () =>
    expectAgreement(send('0x00000000000000000000000000000000000b0b01', 1n)))
  test('a payment to a contract', () => expectAgreement(send(sink.address, 5n)))
  test('a payment to a contract that accepts none', () =>
    expectAgreement(send(at(tokens, 0).address, 5n), 'reverted'))
  test('a payment with data to an account, at the minimum price of calldata', () =>
    expectAgreement(send(NOBODY, 1n, `0x${'ff'.repeat(500)}`)))
  test.each([
    ['an old account', () => chain.account.address],
    ['a new account', (): Address => '0x00000000000000000000000000000000000b0b02'],
    ['a contract', () => sink.address],
  ])('a payment by a contract to %s', (_, to) => expectAgreement(run('forward', [to(), 3n])))
  test('a payment by a contract that has too little', () =>
    expectAgreement(run('forward', [NOBODY, 10n * ONE])))
})

describe('the simulation agrees with the receipt about contract creation:', () => {
  test('creation by a transaction', () =>
    expectAgreement({ to: null, data: chain.builds['Mortal']?.bytecode ?? '0x', value: 5n, gas: 500_000n }))
  test('creation by a transaction whose constructor fails', () =>
    expectAgreement({ to: null, data: '0xfe', value: 0n, gas: 100_000n }, 'reverted'))
  test('creation of invalid code', () =>
    expectAgreement({ to: null, data: '0x60ef60005360016000f3', value: 0n, gas: 100_000n }, 'reverted'))
  test('creation with too little gas for the code', () =>
    expectAgreement(
      { to: null, data: chain.builds['Mortal']?.bytecode ?? '0x', value: 0n, gas: 80_000n },
      'reverted',
    ))
  test('CREATE', () => expectAgreement(run('create', [7n])))
  test('CREATE2', () => expectAgreement(run('create2', [zeroHash])))
  test('CREATE2 at a taken address', () => expectAgreement(run('createTwice', [pad('0x01')])))
  test('creation and destruction in one transaction', () =>
    expectAgreement(run('createAndDestroy', [NOBODY, 9n])))
  test('destruction of an old contract', () => expectAgreement(callOf(mortal, 'die', [NOBODY])))
  test('destruction once more, to a new account', () =>
    expectAgreement(callOf(mortal, 'die', ['0x00000000000000000000000000000000000b0b03'])))
})

describe('the simulation agrees with the receipt about storage:', () => {
  test('refunds', () => expectAgreement(run('clear', [6n])))
  test('refunds that exceed a fifth', () => expectAgreement(run('clear', [8n])))
  test('a slot that is changed and changed back', () => expectAgreement(run('flip')))
  test('new slots', () => expectAgreement(run('fill', [300n, 10n])))
  test('transient storage', () => expectAgreement(run('rememberTwice')))
})

describe('the simulation agrees with the receipt about calls:', () => {
  test('a delegatecall', () => expectAgreement(run('delegate', [machine.address, run('count').data])))
  test('a delegatecall that fails', () =>
    expectAgreement(run('delegate', [machine.address, run('countAndFail').data])))
  test('a staticcall', () =>
    expectAgreement(
      run('look', [
        at(tokens, 0).address,
        encodeFunctionData({ abi: parseAbi(['function balanceOf(address)']), args: [NOBODY] }),
      ]),
    ))
  test('a staticcall that would write', () =>
    expectAgreement(run('look', [machine.address, run('count').data])))
  test('a failure that is caught', () => expectAgreement(run('catchFailure')))
  test('a failure that is not', () => expectAgreement(run('countAndFail'), 'reverted'))
  test('an unknown function', () => expectAgreement({ ...run('flip'), data: '0xdeadbeef' }, 'reverted'))
  test('deep recursion', () => expectAgreement(run('recurse', [40n])))
  test("the block's own values", () => expectAgreement(run('tellBlock')))
  test('sender, origin and address', () => expectAgreement(run('tellSelf', [], { value: 3n })))
  test('hashes of earlier blocks', () => expectAgreement(run('hash', [1_000n, 20n])))
  test('many logs', () => expectAgreement(run('shout', [50n, 64n])))
})

describe('the simulation agrees with the receipt about gas:', () => {
  test.each([22_000n, 30_000n, 45_000n, 60_000n, 90_000n])('a gas limit of %i, which is too little', (gas) =>
    expectAgreement(run('fill', [1_000n, 10n], { gas }), 'reverted'),
  )
  test.each([3_000n, 50_000n, 100_000n])('an inner call that gets %i', (limit) =>
    expectAgreement(run('starve', [limit])),
  )
  test('a call that uses all of its gas', () =>
    expectAgreement(run('spin', [], { gas: 200_000n }), 'reverted'))
})

describe('the simulation agrees with the receipt about precompiles:', () => {
  test.each(PRECOMPILE_INPUTS)('%s', (_, address, input) =>
    expectAgreement(run('look', [pad(numberToHex(address), { size: 20 }), input], { gas: 3_000_000n })),
  )
  test('a precompile as the target of a transaction', () =>
    expectAgreement(send(pad('0x02', { size: 20 }), 0n, toHex('hash me'))))
  test('the results of precompiles', async () => {
    const outcome = await chain.simulate(send(pad('0x02', { size: 20 }), 0n, toHex('hash me')))
    expect(outcome).toMatchObject({ success: true, returnData: sha256(toHex('hash me')) })
  })
})

describe('the simulation agrees with the receipt about delegated accounts:', () => {
  const authorize = async (address: Address, executor?: 'self') => {
    const signed = await chain.sender.signAuthorization({
      contractAddress: address,
      ...(executor && { executor }),
    })
    const { chainId, nonce } = signed
    return { signed, plain: { authority: chain.account.address, address, chainId, nonce: BigInt(nonce) } }
  }
  test('an authorization that is used in its own transaction', async () => {
    const { signed, plain } = await authorize(machine.address, 'self')
    const call = { ...run('count'), to: chain.account.address }
    await expectAgreement(call, 'success', [plain], { authorizationList: [signed] })
  })
  test('a call to the delegated account', () =>
    expectAgreement({ ...run('count'), to: chain.account.address }))
  test('a call from the delegated account', () => expectAgreement(run('tellSelf')))
  test('a call to the delegated account by a contract', () =>
    expectAgreement(run('forward', [chain.account.address, 2n])))
  test('an authorization with a wrong nonce', async () => {
    const { signed, plain } = await authorize(sink.address)
    await expectAgreement(run('count'), 'success', [plain], { authorizationList: [signed] })
  })
  test('the end of the delegation', async () => {
    const { signed, plain } = await authorize('0x0000000000000000000000000000000000000000', 'self')
    await expectAgreement(run('tellSelf'), 'success', [plain], { authorizationList: [signed] })
  })
})

describe('the simulation agrees with the receipt about the pool:', () => {
  test('a deposit', async () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function deposit(uint256) payable']),
      args: [123_456_789n],
    })
    await expectAgreement({ to: chain.chain.relayer!.entrypoint, data, value: ONE, gas: 2_000_000n })
  })
  const relayOf = (index: number): Call => {
    const relay = at(vectors.relays, index)
    const feeCommitment = {
      expiration: 0,
      asset: relay.asset,
      withdrawalData: relay.withdrawal.data,
      signedRelayerCommitment: '0x' as const,
      extraGas: false,
      amount: relay.amount,
    }
    return {
      to: chain.chain.relayer!.entrypoint,
      data: encodeRelay({ ...relay, feeCommitment }),
      value: 0n,
      gas: 2_000_000n,
    }
  }
  test.each([0, 1, vectors.relays.length - 1])('relay number %i', (index) => expectAgreement(relayOf(index)))
  test('a relay of a spent note', () => expectAgreement(relayOf(0), 'reverted'))
  test('a relay with a proof of something else', () => {
    const { data, ...call } = relayOf(2)
    const broken = concatHex([data.slice(0, -2) as Hex, '0x01'])
    return expectAgreement({ ...call, data: broken === data ? data : broken }, 'reverted')
  })
})
