import { readFileSync } from 'node:fs'
import { encodeDeployData, encodeFunctionData, getAddress, type Address, type Hex } from 'viem'
import { compileSolidity } from '../../../harness/compile-solidity.ts'
import { rich } from './calls.ts'
import type { Call } from './chain-calls.ts'
import type { IndexWorld } from './start-index-world.ts'

const source = readFileSync(new URL('HostileToken.sol', import.meta.url), 'utf8')
const [from = '0x'] = rich

/** A contract that reports a balance of `word` for every address, in an answer of `size` bytes. */
export interface HostileToken {
  address: Address
  /** Logs transfers to these addresses. */
  drop(owners: readonly Address[], amount?: bigint): Call
  /** Logs a transfer of this many collectibles. */
  dropMany(owner: Address, count: number): Call
  say(word: bigint): Call
}

/** The native coin's own token. */
export async function deployCoinToken(
  world: IndexWorld,
): Promise<{ address: Address; transfer(to: Address, amount: bigint): Call }> {
  const { abi, address } = await deploy(world, 'CoinToken', [])
  return {
    address,
    transfer: (to, amount) => ({
      from,
      to: address,
      value: amount,
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
    }),
  }
}

async function deploy(world: Pick<IndexWorld, 'ask'>, name: string, args: readonly unknown[]) {
  const { abi, bytecode } = compileSolidity({ 'HostileToken.sol': source }, { evmVersion: 'cancun' })[name]!
  const data = encodeDeployData({ abi, bytecode, args })
  const hash = await world.ask<Hex>('eth_sendTransaction', { from, data, gas: '0x2dc6c0' })
  await world.ask('evm_mine')
  const { contractAddress } = await world.ask<{ contractAddress: Address }>('eth_getTransactionReceipt', hash)
  return { abi, address: getAddress(contractAddress) }
}

/** Deploys one, in a block of its own. */
export async function deployHostileToken(
  world: Pick<IndexWorld, 'ask'>,
  { word, size = 32 }: { word: bigint; size?: number },
): Promise<HostileToken> {
  const { abi, address } = await deploy(world, 'HostileToken', [word, BigInt(size)])
  const call = (functionName: string, ...args: unknown[]): Call => ({
    from,
    to: address,
    data: encodeFunctionData({ abi, functionName, args }),
  })
  return {
    address,
    drop: (owners, amount = 1n) => call('drop', owners, amount),
    dropMany: (owner, count) => call('dropMany', owner, BigInt(count)),
    say: (said) => call('say', said),
  }
}
