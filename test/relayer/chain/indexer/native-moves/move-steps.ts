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

/** A step of a CoinMover; `data` is the input of a call or the code of a creation. */
export interface Step {
  kind: (typeof KINDS)[number]
  to?: Address
  value?: bigint
  /** All remaining gas if it is absent. */
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

/** Input that makes a CoinMover take the steps. */
export const runSteps = (...steps: readonly Step[]): Hex =>
  encodeFunctionData({ abi, functionName: 'run', args: [encodeSteps(steps)] })

/** Code that makes a new CoinMover take the steps when it is created. */
export const bornWith = (...steps: readonly Step[]): Hex =>
  encodeDeployData({ abi, bytecode, args: [encodeSteps(steps)] })
