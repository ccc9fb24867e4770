import { readFileSync } from 'node:fs'
import { encodeDeployData, encodeFunctionData, getAddress, type Address, type Hex } from 'viem'
import { compileSolidity } from '../../../harness/compile-solidity.ts'
import { rich } from './calls.ts'
import type { Call } from './chain-calls.ts'
import type { IndexWorld } from './start-index-world.ts'

const source = readFileSync(new URL('HostileToken.sol', import.meta.url), 'utf8')
const [from = '0x'] = rich

/** A contract that says of everybody that they have `word`, in an answer of `size` bytes. */
export interface HostileToken {
  address: Address
  /** Tells of transfers to these addresses. */
  drop(owners: readonly Address[], amount?: bigint): Call
  /** Tells of a transfer of so many collectibles. */
  dropMany(owner: Address, count: number): Call
  say(word: bigint): Call
}

/** Deploys one, in a block of its own. */
export async function deployHostileToken(
  world: IndexWorld,
  { word, size = 32 }: { word: bigint; size?: number },
): Promise<HostileToken> {
  const { abi, bytecode } = compileSolidity({ 'HostileToken.sol': source }, { evmVersion: 'cancun' })[
    'HostileToken'
  ]!
  const data = encodeDeployData({ abi, bytecode, args: [word, BigInt(size)] })
  const hash = await world.ask<Hex>('eth_sendTransaction', { from, data, gas: '0x2dc6c0' })
  await world.ask('evm_mine')
  const { contractAddress } = await world.ask<{ contractAddress: Address }>('eth_getTransactionReceipt', hash)
  const call = (functionName: string, ...args: unknown[]): Call => ({
    from,
    to: contractAddress,
    data: encodeFunctionData({ abi, functionName, args }),
  })
  return {
    address: getAddress(contractAddress),
    drop: (owners, amount = 1n) => call('drop', owners, amount),
    dropMany: (owner, count) => call('dropMany', owner, BigInt(count)),
    say: (said) => call('say', said),
  }
}
