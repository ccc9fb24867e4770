import { encodeFunctionData, isAddressEqual, parseAbi, zeroAddress, type Address } from 'viem'
import type { ChainConfig } from '../../../../chain/nodes/config.ts'
import type { SwapAsk, SwapRoute, SwapVenue } from '../swap-venue.ts'
import { encodeTransfer } from '../../../intents/intent.ts'

/** The part of WETH9 that all wrapped native coins share. */
const wrappedAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 wad)'])

type Tokens = Pick<SwapAsk, 'tokenIn' | 'tokenOut'>

/** The chain's wrapped native coin: exchanges native coins and tokens one for one, both ways. */
export const wrappedNativeVenue: SwapVenue = {
  name: 'wrapped-native',
  async findRoute({ config }, { amountIn, ...tokens }) {
    const direction = directionOf(config, tokens)
    return direction && { ...direction, ...atPar(amountIn) }
  },
}

/**
 * True if the two are a chain's native coin and its wrapped form, so that one unit is always worth one of the other.
 */
export const isNativeAtPar = (config: Pick<ChainConfig, 'wrappedNative'>, tokens: Tokens): boolean =>
  directionOf(config, tokens) !== null

function directionOf({ wrappedNative: wrapped }: Pick<ChainConfig, 'wrappedNative'>, tokens: Tokens) {
  const { tokenIn, tokenOut } = tokens
  if (wrapped === undefined) return null
  if (tokenIn === zeroAddress && isAddressEqual(tokenOut, wrapped)) return wrapBy(wrapped)
  if (tokenOut === zeroAddress && isAddressEqual(tokenIn, wrapped)) return unwrapBy(wrapped)
  return null
}

const atPar = (amount: bigint) => ({
  isNativeAtPar: true,
  expected: amount,
  atSpot: amount,
  twapGapBps: 0,
  hasSlippage: false,
  callsAreOurs: true,
  spender: null,
})

const wrapBy = (wrapped: Address): Pick<SwapRoute, 'routing' | 'gasKey' | 'calls'> => ({
  routing: 'WRAP',
  gasKey: `WRAP ${zeroAddress}`,
  calls: ({ recipient, amountIn }) => [
    { to: wrapped, value: amountIn, data: encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' }) },
    encodeTransfer(wrapped, recipient, amountIn),
  ],
})

const unwrapBy = (wrapped: Address): Pick<SwapRoute, 'routing' | 'gasKey' | 'calls'> => ({
  routing: 'UNWRAP',
  gasKey: `UNWRAP ${wrapped}`,
  calls: ({ recipient, amountIn }) => [
    {
      to: wrapped,
      value: 0n,
      data: encodeFunctionData({ abi: wrappedAbi, functionName: 'withdraw', args: [amountIn] }),
    },
    encodeTransfer(zeroAddress, recipient, amountIn),
  ],
})
