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

/** Creates contracts at addresses that depend on their code alone; the same on most chains. */
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Where OutputGuard is on every chain on which somebody has sent OUTPUT_GUARD_DEPLOYMENT. */
export const OUTPUT_GUARD_ADDRESS = getContractAddress({
  opcode: 'CREATE2',
  from: CREATE2_DEPLOYER,
  salt: zeroHash,
  bytecode: OUTPUT_GUARD_CODE,
})

/** The transaction that creates it; anybody may send it. */
export const OUTPUT_GUARD_DEPLOYMENT: { to: Address; data: Hex } = {
  to: CREATE2_DEPLOYER,
  data: concatHex([zeroHash, OUTPUT_GUARD_CODE]),
}

/** What a batch must bring an account. The zero address is the native coin; smallest unit. */
export interface GuardedOutput {
  token: Address
  account: Address
  minimum: bigint
}

/** Calls that undo everything unless what is between them gives the account the minimum. */
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
 * Whether the guard's code is at an address: calls to an address without code succeed and demand nothing.
 * @throws BaseError of viem when the node does not answer.
 */
export async function isOutputGuard(client: PublicClient, guard: Address): Promise<boolean> {
  const code = await client.getCode({ address: guard, blockTag: 'latest' })
  // The constructor does nothing, so that the code that stays is the end of the code that creates it.
  return code !== undefined && code.length > MIN_CODE_LENGTH && OUTPUT_GUARD_CODE.endsWith(code.slice(2))
}

/** Characters. Anything shorter would be some end of it by chance. */
const MIN_CODE_LENGTH = OUTPUT_GUARD_CODE.length * 0.9
