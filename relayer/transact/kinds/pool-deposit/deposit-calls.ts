import { decodeFunctionData, encodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem'
import { depositAbi } from '../../../chain/contracts/privacy-pools.ts'
import type { Call } from '../../intents/intent.ts'

/** A deposit of one address. Amounts in the token's smallest unit. */
export interface Deposit {
  entrypoint: Address
  /** The zero address is the native coin. */
  token: Address
  gross: bigint
  precommitment: bigint
  /** Allowance that the Entrypoint already has from the address. */
  allowance: bigint
}

/**
 * Encodes the calls of a deposit. A remaining allowance is first reset to zero, as some tokens require. The new one is
 * exact, so that nothing of it remains.
 */
export function encodeDeposit({ entrypoint, token, gross, precommitment, allowance }: Deposit): Call[] {
  if (token === zeroAddress) {
    const data = encodeFunctionData({ abi: depositAbi, functionName: 'deposit', args: [precommitment] })
    return [{ to: entrypoint, value: gross, data }]
  }
  const approve = (amount: bigint): Call => ({
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [entrypoint, amount] }),
  })
  const data = encodeFunctionData({
    abi: depositAbi,
    functionName: 'deposit',
    args: [token, gross, precommitment],
  })
  return [...(allowance > 0n ? [approve(0n)] : []), approve(gross), { to: entrypoint, value: 0n, data }]
}

/** Finds the deposit in signed calls; null if none of them is one. */
export function findPoolDeposit(calls: readonly Call[]): { gross: bigint; precommitment: bigint } | null {
  for (const { value, data } of calls) {
    const args = decodeArgs(data)
    if (!args) continue
    const [first, gross, precommitment] = args
    return precommitment === undefined
      ? { gross: value, precommitment: BigInt(first) }
      : { gross: gross ?? 0n, precommitment }
  }
  return null
}

function decodeArgs(data: Call['data']) {
  try {
    return decodeFunctionData({ abi: depositAbi, data }).args
  } catch {
    return null
  }
}
