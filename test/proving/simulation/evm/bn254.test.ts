import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM, NobleBN254 } from '@ethereumjs/evm'
import { bytesToHex, hexToBytes } from 'viem'
import { expect, test } from 'vitest'
import { createBn254 } from '../../../../proving/simulation/evm/bn254.ts'
import { createWatchedEvm } from '../../../../proving/simulation/evm/create-evm.ts'
import { PRECOMPILE_INPUTS } from './precompile-inputs.ts'

test('the EVM uses our implementation of the curve', async () => {
  const bn254 = await createBn254()
  const common = createCustomCommon({ chainId: 1 }, Mainnet)
  expect((await createEVM({ common, bn254 }))['_bn254']).toBeInstanceOf(NobleBN254)
  const { evm } = await createWatchedEvm({ chainId: 1, hardfork: 'osaka' }, bn254)
  expect(evm['_bn254']).toBe(bn254)
})

const OPERATIONS = { 6: 'add', 7: 'mul', 8: 'pairing' } as const
const cases = PRECOMPILE_INPUTS.flatMap(([name, address, input]) =>
  address >= 6 && address <= 8 && input.length % 384 === 2
    ? [[name, OPERATIONS[address as 6 | 7 | 8], input] as const]
    : [],
)

test.each(cases)('%s agrees with @noble/curves', async (_, operation, input) => {
  const [ours, noble] = [await createBn254(), new NobleBN254()]
  const outputOf = (curve: typeof ours) => {
    try {
      return bytesToHex(curve[operation](hexToBytes(input)))
    } catch {
      return 'refused'
    }
  }
  expect(outputOf(ours)).toBe(outputOf(noble))
})
