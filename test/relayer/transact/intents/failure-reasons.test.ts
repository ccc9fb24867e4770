import { concatHex, padHex, stringToHex, toFunctionSelector, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProvingPool } from '../../../../proving/proving-pool.ts'
import { describeRevert } from '../../../../relayer/transact/intents/describe-revert.ts'
import { explainIntentFailure } from '../../../../relayer/transact/intents/simulate-intent.ts'
import { startIntentWorld, type IntentWorld } from './start-intent-world.ts'
import { shareProvingPool } from '../../../harness/share-proving-pool.ts'
import { encodeIntent } from '../../../../relayer/transact/intents/intent.ts'

let world: IntentWorld
let proving: ProvingPool
beforeAll(async () => {
  ;[world, proving] = await Promise.all([
    startIntentWorld(),
    shareProvingPool({ threads: 1, commitmentKeys: [] }),
  ])
})
afterAll(async () => {
  await proving?.close()
  await world?.stop()
})

const push32 = (hex: Hex) => concatHex(['0x7f', padHex(hex, { dir: 'right', size: 32 })])

/** Code that reverts every call with Error(string); the text is in its first 32 bytes. */
const refuseWith = (text: Hex): Hex =>
  concatHex([push32('0x08c379a0'), '0x5f5260206004526020602452', push32(text), '0x60445260645ffd'])
/** Panic(uint256): mstore(0, selector), mstore(4, 0x12), revert(0, 0x24). */
const PANIC = concatHex([push32('0x4e487b71'), '0x5f52', '0x6012600452', '0x60245ffd'])
/** OutputTooLow(uint256,uint256): the error of OutputGuard. */
const TOO_LOW = concatHex([
  push32(toFunctionSelector('OutputTooLow(uint256,uint256)')),
  '0x5f52',
  '0x60445ffd',
])
/** An error that is in none of the service's ABIs. */
const STRANGE = concatHex([push32('0xdeadbeef'), '0x5f52', '0x60045ffd'])

async function contractOf(code: Hex): Promise<Address> {
  const address = privateKeyToAddress(generatePrivateKey())
  await world.reader.request({ method: 'anvil_setCode', params: [address, code] } as never)
  return address
}

/** The error in the event of an intent that fails in a call, and the reason that the service reports. */
async function failWith(code: Hex | null) {
  const account = await world.openAccount(10n)
  const calls = code
    ? [{ to: await contractOf(code), value: 0n, data: '0x12345678' as const }]
    : [world.pay(account.address, 100n)]
  const intent = await world.sign(account, world.draft(account.address, calls))
  const { contractAddress, authorizationNonce } = await world.delegate(account)
  const delegation = { contractAddress, authorizationNonce }
  const parts = { proving, config: { simulateTimeoutMs: 10_000 } }
  const explained = await explainIntentFailure(parts, world.chain, {
    encoded: encodeIntent(intent),
    delegation,
    eoa: account.address,
  })
  const { outcomes } = await world.send([intent], { delegations: [await world.delegate(account)] })
  return { explained, error: outcomes[0]?.error }
}

it.each([
  [
    'the words of a contract',
    refuseWith(stringToHex('No thanks')),
    'Error(string)',
    'reverted with "No thanks"',
  ],
  ['a panic', PANIC, 'Panic(uint256)', 'Panic: 0x12 division or modulo by zero'],
  ['an error of the token', null, 'ERC20InsufficientBalance', 'ERC20InsufficientBalance'],
  ['a guard that got too little', TOO_LOW, 'OutputTooLow', 'OutputTooLow'],
  ['an error that nobody knows', STRANGE, '0xdeadbeef', 'the error 0xdeadbeef'],
])('the reason for %s names what the event has of it', async (_, code, error, explained) => {
  expect(await failWith(code)).toEqual({ explained, error })
})

it('an intent that would succeed has no failure reason', async () => {
  const account = await world.openAccount(10n)
  const signed = await world.sign(account, world.draft(account.address, [world.pay(account.address, 1n)]))
  const { contractAddress, authorizationNonce } = await world.delegate(account)
  const intent = {
    encoded: encodeIntent(signed),
    delegation: { contractAddress, authorizationNonce },
    eoa: account.address,
  }
  const parts = { proving, config: { simulateTimeoutMs: 10_000 } }
  expect(await explainIntentFailure(parts, world.chain, intent)).toBeNull()
})

describe('the words of a contract', () => {
  it('are reduced to one line of at most 120 visible characters', () => {
    const text = `a\u202eb\nc"\u0000d${'x'.repeat(500)}`
    expect(describeRevert({ name: 'Error', text })).toBe(`reverted with "ab c'd${'x'.repeat(114)}"`)
  })

  it('are omitted where there are none', () => {
    expect(describeRevert({ name: 'Error', text: '\u200b' })).toBe('reverted without a reason')
    expect(describeRevert({ name: null, text: 'execution reverted' })).toBe('reverted without a reason')
  })

  it('are not read from an error of another name', () => {
    expect(describeRevert({ name: 'UnauthorizedCall', text: '0x00, 0x01, 0x02' })).toBe('UnauthorizedCall')
  })
})
