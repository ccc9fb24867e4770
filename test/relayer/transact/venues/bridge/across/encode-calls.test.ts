import {
  decodeAbiParameters,
  decodeFunctionData,
  erc20Abi,
  getAddress,
  parseAbi,
  parseAbiParameters,
  slice,
  zeroAddress,
  type Hex,
} from 'viem'
import { expect, it } from 'vitest'
import { encodeDepositCalls } from '../../../../../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'
import { encodeMessage } from '../../../../../../relayer/transact/venues/bridge/across/across-venue.ts'
import { sampleDeposit } from './sample-deposit.ts'

const spokePool = '0x1000000000000000000000000000000000000001'
const router = '0x1000000000000000000000000000000000000003'
const { inputToken, inputAmount, outputToken, recipient } = sampleDeposit

// The contract's published ABI, independent of the encoder's.
const depositAbi = parseAbi([
  'function deposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,uint32,bytes) payable',
])
const asAddress = (word: Hex) => {
  expect(slice(word, 0, 12)).toBe(`0x${'00'.repeat(12)}`)
  return getAddress(slice(word, 12))
}
const approvalOf = (data: Hex) => decodeFunctionData({ abi: erc20Abi, data })

it('a deposit of a token approves exactly its amount, and every member stands in its calldata', () => {
  const calls = encodeDepositCalls(sampleDeposit, { spokePool, isCoin: false, allowance: 0n })
  expect(calls.map(({ to, value }) => [to, value])).toEqual([
    [inputToken, 0n],
    [spokePool, 0n],
    [inputToken, 0n],
  ])
  expect(approvalOf(calls[0]!.data)).toEqual({ functionName: 'approve', args: [spokePool, inputAmount] })
  expect(approvalOf(calls[2]!.data)).toEqual({ functionName: 'approve', args: [spokePool, 0n] })
  const { args } = decodeFunctionData({ abi: depositAbi, data: calls[1]!.data })
  expect([args[0], args[1], args[2], args[3], args[7]].map(asAddress)).toEqual([
    sampleDeposit.depositor,
    recipient,
    inputToken,
    outputToken,
    zeroAddress,
  ])
  expect([args[4], args[5], args[6], ...args.slice(8)]).toEqual([
    inputAmount,
    sampleDeposit.outputAmount,
    31_338n,
    sampleDeposit.quoteTimestamp,
    sampleDeposit.fillDeadline,
    0,
    '0x',
  ])
})

it('a standing allowance is taken back before the exact approval', () => {
  const calls = encodeDepositCalls(sampleDeposit, { spokePool, isCoin: false, allowance: 1n })
  expect(calls).toHaveLength(4)
  expect(approvalOf(calls[0]!.data).args).toEqual([spokePool, 0n])
  expect(approvalOf(calls[1]!.data).args).toEqual([spokePool, inputAmount])
})

it('a deposit of the coin sends it along and approves nothing', () => {
  const calls = encodeDepositCalls(sampleDeposit, { spokePool, isCoin: true, allowance: 5n })
  expect(calls.map(({ to, value }) => [to, value])).toEqual([[spokePool, inputAmount]])
})

it('a message makes the calls, and falls back to the recipient', () => {
  const message = encodeMessage({ calls: [{ to: router, value: 3n, data: '0x1234' }], recipient })
  const [{ calls, fallbackRecipient }] = decodeAbiParameters(
    parseAbiParameters(
      '((address target, bytes callData, uint256 value)[] calls, address fallbackRecipient)',
    ),
    message,
  )
  expect(fallbackRecipient).toBe(recipient)
  expect(calls).toEqual([{ target: router, callData: '0x1234', value: 3n }])
})

it('a message without a recipient is refused, since it could not be filled once a call fails', () => {
  expect(() => encodeMessage({ calls: [], recipient: zeroAddress })).toThrow(RangeError)
})
