import { encodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem'
import type { Call } from './intent.ts'

/** Encodes a call that pays an amount of a token, or of the native coin if the token is the zero address. */
export function encodeTransfer(token: Address, to: Address, amount: bigint): Call {
  if (token === zeroAddress) return { to, value: amount, data: '0x' }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { to: token, value: 0n, data }
}
