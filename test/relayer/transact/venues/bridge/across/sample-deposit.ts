import { zeroAddress } from 'viem'
import type { BridgeDeposit } from '../../../../../../relayer/transact/venues/bridge/bridge-deposit.ts'

/** A deposit of 100 units of a token with six decimals. */
export const sampleDeposit: BridgeDeposit = {
  provider: 'across',
  originChainId: 31_337,
  destinationChainId: 31_338,
  depositor: '0xf3B2A5E73280E8F24Fe596cD1cf839a75d3d786d',
  recipient: '0x1dE3D712f5D3103AD50e22dc1f4d3Ff1559D5115',
  exclusiveRelayer: zeroAddress,
  inputToken: '0x881659E61f3C9af44e4150a1a89474E3a9DA15Bb',
  outputToken: '0xEcd2C5B5ec81C53A5fF0aa50299B1B97c1649c9d',
  inputAmount: 100_000_000n,
  outputAmount: 99_900_000n,
  quoteTimestamp: 1_790_000_000,
  fillDeadline: 1_790_003_600,
  exclusivityDeadline: 0,
  message: '0x',
}
