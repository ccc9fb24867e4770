import { expect, it } from 'vitest'
import { computeRelayKey, hashMessage } from '../../../../../../relayer/chain/contracts/across.ts'
import { toBytes32 } from '../../../../../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'
import type { BridgeDeposit } from '../../../../../../relayer/transact/venues/bridge/bridge-deposit.ts'
import { sampleDeposit } from './sample-deposit.ts'

const keyOf = (deposit: BridgeDeposit, depositId: bigint) =>
  computeRelayKey({
    ...deposit,
    depositId,
    originChainId: BigInt(deposit.originChainId),
    destinationChainId: BigInt(deposit.destinationChainId),
    depositor: toBytes32(deposit.depositor),
    recipient: toBytes32(deposit.recipient),
    exclusiveRelayer: toBytes32(deposit.exclusiveRelayer),
    inputToken: toBytes32(deposit.inputToken),
    outputToken: toBytes32(deposit.outputToken),
    messageHash: hashMessage(deposit.message),
  })

it('a deposit that differs in any member which a filler could change has another relay key', () => {
  const { depositor, recipient } = sampleDeposit
  const changes = [
    { outputAmount: 1n },
    { inputAmount: sampleDeposit.inputAmount + 1n },
    { depositor: recipient },
    { recipient: depositor },
    { inputToken: depositor },
    { outputToken: depositor },
    { exclusiveRelayer: depositor },
    { originChainId: 1 },
    { destinationChainId: 1 },
    { fillDeadline: sampleDeposit.fillDeadline + 1 },
    { exclusivityDeadline: 1 },
    { message: '0x00' },
  ] as const
  const keys = changes.map((change) => keyOf({ ...sampleDeposit, ...change }, 7n))
  const all = [...keys, keyOf(sampleDeposit, 7n), keyOf(sampleDeposit, 8n)]
  expect(new Set(all).size).toBe(changes.length + 2)
})
