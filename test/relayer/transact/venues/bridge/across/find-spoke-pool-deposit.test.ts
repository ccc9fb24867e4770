import { concatHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import {
  encodeDepositCalls,
  findSpokePoolDeposit,
} from '../../../../../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'
import { sampleDeposit } from './sample-deposit.ts'

const spokePool = '0x1000000000000000000000000000000000000001'
const { originChainId } = sampleDeposit
const payment = { spokePool, isCoin: false, allowance: 3n } as const
const find = (calls: Parameters<typeof findSpokePoolDeposit>[0]) =>
  findSpokePoolDeposit(calls, { spokePool, originChainId })

it('a deposit is read from signed calls as it was written, message and a mark behind it included', () => {
  for (const message of ['0x', '0x1234', `0x${'ab'.repeat(500)}`] as Hex[]) {
    const deposit = { ...sampleDeposit, message }
    const calls = encodeDepositCalls(deposit, payment)
    expect(find(calls)).toEqual(deposit)
    expect(find(calls.map((call) => ({ ...call, data: concatHex([call.data, '0x1dc0de00ab']) })))).toEqual(
      deposit,
    )
  }
})

it('calls that make no deposit, two, or one for an address of another kind of chain are no order', () => {
  const calls = encodeDepositCalls(sampleDeposit, payment)
  const deposit = calls[2]!
  expect(find([])).toBeNull()
  expect(find([...calls, deposit])).toBeNull()
  expect(findSpokePoolDeposit(calls, { spokePool: sampleDeposit.depositor, originChainId })).toBeNull()
  for (const data of ['0x', '0x12345678', deposit.data.slice(0, 600)] as Hex[])
    expect(find([{ ...deposit, data }]), data.slice(0, 20)).toBeNull()
  // The first word is the depositor: a Solana address of 32 bytes.
  const foreign: Hex = `0x${deposit.data.slice(2, 10)}${'ff'.repeat(32)}${deposit.data.slice(74)}`
  expect(find([{ ...deposit, data: foreign }])).toBeNull()
})
