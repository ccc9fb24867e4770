import { decodeFunctionData, isAddressEqual, type Address, type Hex } from 'viem'
import { entrypointAbi } from '../../chain/contracts/privacy-pools.ts'
import { multicallAbi } from './encode-relay.ts'

/** The values that the contracts compare a relay with. */
export interface RelayPremises {
  scope: bigint
  nullifierHash: bigint
  stateRoot: bigint
  aspRoot: bigint
}

/** Decodes the premises of a relay's transaction, plain or in a multicall with a top-up; null if it is no relay. */
export function decodeRelay(call: { to: Address; data: Hex }, entrypoint: Address): RelayPremises | null {
  try {
    const data = isAddressEqual(call.to, entrypoint) ? call.data : findInner(call.data, entrypoint)
    if (data === undefined) return null
    const { functionName, args } = decodeFunctionData({ abi: entrypointAbi, data })
    if (functionName !== 'relay') return null
    const [, { pubSignals }, scope] = args
    const [, nullifierHash, , stateRoot, , aspRoot] = pubSignals
    return { scope, nullifierHash, stateRoot, aspRoot }
  } catch {
    return null
  }
}

function findInner(data: Hex, entrypoint: Address): Hex | undefined {
  const [calls] = decodeFunctionData({ abi: multicallAbi, data }).args
  return calls.find(({ target }) => isAddressEqual(target, entrypoint))?.callData
}
