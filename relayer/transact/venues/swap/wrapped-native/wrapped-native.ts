import { encodeFunctionData, isAddressEqual, parseAbi, zeroAddress, type Address } from 'viem'
import { encodeTransfer } from '../../../intents/encode-transfer.ts'
import type { SwapRoute, SwapVenue } from '../swap-venue.ts'

/** The part of WETH9 that all wrapped native coins share. */
const wrappedAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 wad)'])

/** The chain's wrapped native coin: it takes native coins for as many tokens, and the other way round. */
export const wrappedNativeVenue: SwapVenue = {
  findRoute({ wrappedNative: wrapped }, { tokenIn, tokenOut }) {
    if (wrapped === undefined) return null
    if (tokenIn === zeroAddress && isAddressEqual(tokenOut, wrapped)) return wrapBy(wrapped)
    if (tokenOut === zeroAddress && isAddressEqual(tokenIn, wrapped)) return unwrapBy(wrapped)
    return null
  },
}

const onePerOne = (amount: bigint) => ({ expected: amount, minimum: amount })

const wrapBy = (wrapped: Address): SwapRoute => ({
  routing: 'WRAP',
  isNativeAtPar: true,
  calls: (recipient, amount) => [
    { to: wrapped, value: amount, data: encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' }) },
    encodeTransfer(wrapped, recipient, amount),
  ],
  outputOf: onePerOne,
})

const unwrapBy = (wrapped: Address): SwapRoute => ({
  routing: 'UNWRAP',
  isNativeAtPar: true,
  calls: (recipient, amount) => [
    {
      to: wrapped,
      value: 0n,
      data: encodeFunctionData({ abi: wrappedAbi, functionName: 'withdraw', args: [amount] }),
    },
    encodeTransfer(zeroAddress, recipient, amount),
  ],
  outputOf: onePerOne,
})
