import {
  concatHex,
  encodeFunctionData,
  getContractAddress,
  parseAbi,
  zeroHash,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import type { Call } from '../../../intents/intent.ts'
import { OUTPUT_GUARD_CODE } from './output-guard-code.ts'

const guardAbi = parseAbi([
  'function note(address token, address account)',
  'function demand(address token, address account, uint256 minimum)',
])

/** Creates contracts at addresses that depend only on their code; at the same address on most chains. */
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Address of OutputGuard on every chain where OUTPUT_GUARD_DEPLOYMENT was sent. */
export const OUTPUT_GUARD_ADDRESS = getContractAddress({
  opcode: 'CREATE2',
  from: CREATE2_DEPLOYER,
  salt: zeroHash,
  bytecode: OUTPUT_GUARD_CODE,
})

/** The transaction that creates OutputGuard; anybody may send it. */
export const OUTPUT_GUARD_DEPLOYMENT: { to: Address; data: Hex } = {
  to: CREATE2_DEPLOYER,
  data: concatHex([zeroHash, OUTPUT_GUARD_CODE]),
}

/** Output that a batch must bring an account. The zero address is the native coin; smallest unit. */
export interface GuardedOutput {
  token: Address
  account: Address
  minimum: bigint
}

/** Returns calls that revert the batch unless the calls between them give the account the minimum. */
export function guardOutput(
  guard: Address,
  { token, account, minimum }: GuardedOutput,
): [note: Call, demand: Call] {
  const call = (data: Hex): Call => ({ to: guard, value: 0n, data })
  return [
    call(encodeFunctionData({ abi: guardAbi, functionName: 'note', args: [token, account] })),
    call(encodeFunctionData({ abi: guardAbi, functionName: 'demand', args: [token, account, minimum] })),
  ]
}

/**
 * True if the guard's code is at an address: calls to an address without code succeed and demand nothing.
 * @throws BaseError of viem when the node does not answer.
 */
export async function isOutputGuard(client: PublicClient, guard: Address): Promise<boolean> {
  const code = await client.getCode({ address: guard, blockTag: 'latest' })
  // The constructor does nothing, so the runtime code is the end of the creation code.
  return code !== undefined && code.length > MIN_CODE_LENGTH && OUTPUT_GUARD_CODE.endsWith(code.slice(2))
}

/** In characters. A shorter code could equal an end of the creation code by chance. */
const MIN_CODE_LENGTH = OUTPUT_GUARD_CODE.length * 0.9
