import { pad, toHex, type Address, type Hex } from 'viem'
import { askNode } from '../../../harness/ask-node.ts'
import { compileSolidity } from '../../market/tokens/compile-solidity.ts'

/** The modes of Burner.sol. */
export const MODES = {
  honest: 0,
  gasPrice: 1,
  baseFee: 2,
  origin: 3,
  coinbase: 4,
  flag: 5,
  gasLeft: 6,
  greedy: 7,
} as const
export type Mode = keyof typeof MODES

/** Puts contracts that burn gas at any address of a chain. */
export async function createBurners(node: string) {
  const { Burner } = compileSolidity(new URL('Burner.sol', import.meta.url))
  const code = await askNode<Hex>(node, 'eth_call', { data: Burner!.bytecode }, 'latest')
  const slot = (index: number) => pad(toHex(index), { size: 32 })
  const setSlot = (address: Address, index: number, value: bigint | number) =>
    askNode(node, 'anvil_setStorageAt', address, slot(index), pad(toHex(value), { size: 32 }))
  return {
    /** Installs a burner at an address. */
    async arm(address: Address, mode: Mode, argument: bigint | number = 0): Promise<void> {
      await setSlot(address, 0, MODES[mode])
      await setSlot(address, 1, argument)
      await askNode(node, 'anvil_setCode', address, code)
    },
    setArgument: (address: Address, argument: number) => setSlot(address, 1, argument),
  }
}
