import { encodeFunctionData, type Hex } from 'viem'
import { orchestratorAbi } from './intent-abi.ts'

/** Encodes the calldata that executes signed intents in order. */
export function encodeBatch(encoded: readonly Hex[]): Hex {
  const [only, ...more] = encoded
  if (!only) throw new RangeError('no intent to execute')
  return more.length === 0
    ? encodeFunctionData({ abi: orchestratorAbi, functionName: 'execute', args: [only] })
    : encodeFunctionData({ abi: orchestratorAbi, functionName: 'execute', args: [[...encoded]] })
}
