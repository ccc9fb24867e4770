import { encodeDeployData, encodeFunctionData, parseAbi, type Address, type Hex } from 'viem'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'

const { bytecode } = compileSolidity(new URL('CoinMover.sol', import.meta.url))['CoinMover']!
const step = 'struct Step { uint8 kind; address to; uint256 value; uint256 gasLimit; bytes data; }'
const abi = parseAbi([step, 'constructor(Step[] steps) payable', 'function run(Step[] steps) payable'])

/** In the order of CoinMover.sol. */
const KINDS = [
  'call',
  'callCode',
  'delegateCall',
  'staticCall',
  'create',
  'create2',
  'selfDestruct',
  'revert',
] as const

/** What a CoinMover is told to do; `data` is the input of a call, the code of a creation. */
export interface Step {
  kind: (typeof KINDS)[number]
  to?: Address
  value?: bigint
  /** All there is when it is left out. */
  gasLimit?: bigint
  data?: Hex
}

const encodeSteps = (steps: readonly Step[]) =>
  steps.map(({ kind, to = `0x${'00'.repeat(20)}`, value = 0n, gasLimit = 0n, data = '0x' }) => ({
    kind: KINDS.indexOf(kind),
    to,
    value,
    gasLimit,
    data,
  }))

/** Input by which a CoinMover takes the steps. */
export const runSteps = (...steps: readonly Step[]): Hex =>
  encodeFunctionData({ abi, functionName: 'run', args: [encodeSteps(steps)] })

/** Code by which a new CoinMover takes the steps as it is made. */
export const bornWith = (...steps: readonly Step[]): Hex =>
  encodeDeployData({ abi, bytecode, args: [encodeSteps(steps)] })
