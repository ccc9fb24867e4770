import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createGroth16Verifier } from '../../../proving/groth16/groth16-verifier.ts'
import { CIRCUIT_KEYS } from '../../../proving/groth16/verification-key.ts'

const artifacts = new URL(
  '../../../node_modules/@0xbow/privacy-pools-core-sdk/dist/node/artifacts/',
  import.meta.url,
)

test.each(['withdraw', 'commitment'] as const)(
  'the key of %s is that of the published circuit',
  (circuit) => {
    const published: unknown = JSON.parse(readFileSync(new URL(`${circuit}.vkey`, artifacts), 'utf8'))
    expect(published).toMatchObject(CIRCUIT_KEYS[circuit])
  },
)

test('a key with a wrong point, a wrong label or a missing IC point is refused', async () => {
  const { withdraw } = CIRCUIT_KEYS
  const wrong = [
    { ...withdraw, protocol: 'plonk' },
    { ...withdraw, IC: withdraw.IC.slice(1) },
    { ...withdraw, vk_alpha_1: ['1', '3', '1'] },
    { ...withdraw, vk_delta_2: withdraw.vk_delta_2.toReversed() },
  ]
  for (const key of wrong) {
    await expect(createGroth16Verifier({ ...CIRCUIT_KEYS, withdraw: key }, 1)).rejects.toThrow(/key/)
  }
})
