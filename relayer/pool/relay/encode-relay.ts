import { decodeFunctionData, encodeFunctionData, parseAbi, type Address, type Hex } from 'viem'
import type { Groth16Proof } from '../../../proving/proving-pool.ts'
import { entrypointAbi } from '../../chain/contracts/privacy-pools.ts'
import { decodeRelayData } from '../state/formulas.ts'
import type { RelayRequest } from './withdrawals.ts'

/** ABI of Multicall3: the calls run in order; a failed one reverts all unless it may fail. */
export const multicallAbi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
])

type Point = readonly [bigint, bigint]

function point(coordinates: readonly string[] | undefined): Point {
  const [x, y] = coordinates ?? []
  if (x === undefined || y === undefined) throw new TypeError('a verified proof has two coordinates a point')
  return [BigInt(x), BigInt(y)]
}

const swap = ([real, imaginary]: Point): Point => [imaginary, real]

/** Converts a proof to Solidity's form: affine, with the two parts of each G2 coordinate swapped (EIP-197). */
function toSolidity(proof: Groth16Proof, publicSignals: readonly string[]) {
  const pubSignals = publicSignals.map(BigInt)
  return {
    pA: point(proof.pi_a),
    pB: [swap(point(proof.pi_b[0])), swap(point(proof.pi_b[1]))] as const,
    pC: point(proof.pi_c),
    pubSignals: pubSignals as unknown as readonly [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ],
  }
}

/** Encodes the calldata of Entrypoint.relay for a verified request. */
export function encodeRelay(request: RelayRequest): Hex {
  return encodeFunctionData({
    abi: entrypointAbi,
    functionName: 'relay',
    args: [request.withdrawal, toSolidity(request.proof, request.publicSignals), BigInt(request.scope)],
  })
}

/**
 * Encodes one multicall that relays and then sends native coin to the recipient. The relay may not fail; the transfer
 * may, unless `mayFail` is false.
 */
export function encodeRelayWithTopUp(
  entrypoint: Address,
  relay: Hex,
  topUp: { recipient: Address; value: bigint },
  mayFail = true,
): Hex {
  return encodeFunctionData({
    abi: multicallAbi,
    functionName: 'aggregate3Value',
    args: [
      [
        { target: entrypoint, allowFailure: false, value: 0n, callData: relay },
        { target: topUp.recipient, allowFailure: mayFail, value: topUp.value, callData: '0x' },
      ],
    ],
  })
}

/** Decodes the recipient of a relay's transaction, with or without a top-up; null for other calldata. */
export function decodeRelayRecipient(data: Hex): Address | null {
  try {
    const call = decodeFunctionData({ abi: [...entrypointAbi, ...multicallAbi], data })
    if (call.functionName === 'aggregate3Value') {
      const [relay] = call.args[0]
      return relay ? decodeRelayRecipient(relay.callData) : null
    }
    if (call.functionName !== 'relay') return null
    const [withdrawal] = call.args
    return decodeRelayData(withdrawal.data)?.recipient ?? null
  } catch {
    return null
  }
}
