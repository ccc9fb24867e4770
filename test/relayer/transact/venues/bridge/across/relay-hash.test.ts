import { expect, it } from 'vitest'
import { sampleDeposit } from './sample-deposit.ts'
import { computeRelayHash } from '../../../../../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'

// The answers of getV3RelayHash of Ethereum_SpokePool (@across-protocol/contracts 5.0.27) on a chain with id 31338.
it('the relay hash is the one that the SpokePool computes, with and without a message', () => {
  expect(computeRelayHash(sampleDeposit, 7n)).toBe(
    '0x2daef662a53bf7fe857581afafffccca7e396800d5475412da48a3451e47d552',
  )
  const exclusive = {
    ...sampleDeposit,
    exclusiveRelayer: '0xDfcCcdfbd65d75a8Bc1C273FB02e80BF3446b516',
    exclusivityDeadline: 1_790_000_060,
    message: '0x1234567890abcdef',
  } as const
  expect(computeRelayHash(exclusive, 7n)).toBe(
    '0x8efb90a023220c29be272123cb6ece6578a63cbbb278bde3a23aa6240579b470',
  )
})

it('a deposit that differs in any member which a filler could change has another relay hash', () => {
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
  const hashes = changes.map((change) => computeRelayHash({ ...sampleDeposit, ...change }, 7n))
  const all = [...hashes, computeRelayHash(sampleDeposit, 7n), computeRelayHash(sampleDeposit, 8n)]
  expect(new Set(all).size).toBe(changes.length + 2)
})
