import { encodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem'
import type { Call } from './intent.ts'

/** A call that pays so much of a token, or of the native coin by the zero address. */
export function encodeTransfer(token: Address, to: Address, amount: bigint): Call {
  if (token === zeroAddress) return { to, value: amount, data: '0x' }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { to: token, value: 0n, data }
}
