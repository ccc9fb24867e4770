import { beforeAll, describe, expect, test } from 'vitest'
import { BASE_FIELD_ORDER as q } from '../../../proving/groth16/field-order.ts'
import { createGroth16Verifier, type Groth16Verifier } from '../../../proving/groth16/groth16-verifier.ts'
import { FIELD_ORDER as r } from '../../../proving/field-element.ts'
import type { VerifyRefusal } from '../../../proving/proving-pool.ts'
import { loadProofs } from './load-proofs.ts'
import { CIRCUIT_KEYS } from '../../../proving/groth16/verification-key.ts'

/** A proof as a client may send it: any JSON. */
interface LooseProof {
  proof: Record<string, unknown> & { pi_a: unknown[]; pi_b: unknown[][]; pi_c: unknown[] }
  publicSignals: unknown[]
}

const add = (text: unknown, amount: bigint) => `${BigInt(text as string) + amount}`
const at = (list: unknown[] | undefined, index: number): unknown => list?.[index]

/** A change to a valid proof, and the reason why it must be refused. */
const mutations: [string, VerifyRefusal, (vector: LooseProof) => unknown][] = [
  ['protocol plonk', 'encoding', ({ proof }) => (proof.protocol = 'plonk')],
  ['curve bls12381', 'encoding', ({ proof }) => (proof.curve = 'bls12381')],
  ['no protocol', 'encoding', ({ proof }) => delete proof.protocol],
  ['no pi_c', 'encoding', ({ proof }) => delete (proof as Record<string, unknown>).pi_c],
  ['pi_a null', 'encoding', ({ proof }) => Object.assign(proof, { pi_a: null })],
  ['pi_a a string', 'encoding', ({ proof }) => Object.assign(proof, { pi_a: '123' })],
  [
    'pi_a an object with a length',
    'encoding',
    ({ proof }) => Object.assign(proof, { pi_a: Object.assign({}, proof.pi_a, { length: 3 }) }),
  ],
  ['pi_a without z', 'encoding', ({ proof }) => proof.pi_a.pop()],
  ['pi_a with a fourth member', 'encoding', ({ proof }) => proof.pi_a.push('1')],
  [
    'pi_a rescaled, z = 2',
    'encoding',
    ({ proof }) => {
      const [x, y] = proof.pi_a as [string, string]
      proof.pi_a = [`${(BigInt(x) * 4n) % q}`, `${(BigInt(y) * 8n) % q}`, '2']
    },
  ],
  ['pi_a with z = 0', 'encoding', ({ proof }) => (proof.pi_a[2] = '0')],
  ['pi_a with z = "01"', 'encoding', ({ proof }) => (proof.pi_a[2] = '01')],
  ['pi_a with z the number 1', 'encoding', ({ proof }) => (proof.pi_a[2] = 1)],
  ['pi_a.x + q', 'encoding', ({ proof }) => (proof.pi_a[0] = add(proof.pi_a[0], q))],
  ['pi_a.y + q', 'encoding', ({ proof }) => (proof.pi_a[1] = add(proof.pi_a[1], q))],
  ['pi_a.x + 2^256', 'encoding', ({ proof }) => (proof.pi_a[0] = add(proof.pi_a[0], 1n << 256n))],
  ['pi_a.x negative', 'encoding', ({ proof }) => (proof.pi_a[0] = add(proof.pi_a[0], -q))],
  [
    'pi_a.x in hexadecimal',
    'encoding',
    ({ proof }) => (proof.pi_a[0] = `0x${BigInt(proof.pi_a[0] as string).toString(16)}`),
  ],
  ['pi_a.x with a leading zero', 'encoding', ({ proof }) => (proof.pi_a[0] = `0${proof.pi_a[0] as string}`)],
  ['pi_a.x with a space', 'encoding', ({ proof }) => (proof.pi_a[0] = ` ${proof.pi_a[0] as string}`)],
  ['pi_a.x with a line feed', 'encoding', ({ proof }) => (proof.pi_a[0] = `${proof.pi_a[0] as string}\n`)],
  ['pi_a.x in other digits', 'encoding', ({ proof }) => (proof.pi_a[0] = '١٢٣')],
  ['pi_a.x empty', 'encoding', ({ proof }) => (proof.pi_a[0] = '')],
  ['pi_a.x not a number', 'encoding', ({ proof }) => (proof.pi_a[0] = 'abc')],
  ['pi_a.x a number', 'encoding', ({ proof }) => (proof.pi_a[0] = 5)],
  ['pi_a.x an object', 'encoding', ({ proof }) => (proof.pi_a[0] = {})],
  ['pi_a.x a million digits', 'encoding', ({ proof }) => (proof.pi_a[0] = '9'.repeat(1_000_000))],
  ['pi_c.x + q', 'encoding', ({ proof }) => (proof.pi_c[0] = add(proof.pi_c[0], q))],
  ['pi_b flat', 'encoding', ({ proof }) => (proof.pi_b = proof.pi_b.flat() as never)],
  ['pi_b with z = (1, 1)', 'encoding', ({ proof }) => (proof.pi_b[2] = ['1', '1'])],
  ['pi_b with z = (2, 0)', 'encoding', ({ proof }) => (proof.pi_b[2] = ['2', '0'])],
  ['pi_b without z', 'encoding', ({ proof }) => proof.pi_b.pop()],
  ['pi_b.x of three', 'encoding', ({ proof }) => proof.pi_b[0]?.push('0')],
  [
    'pi_b.x0 + q',
    'encoding',
    ({ proof }) => (proof.pi_b[0] = [add(at(proof.pi_b[0], 0), q), at(proof.pi_b[0], 1)]),
  ],
  [
    'pi_b.y1 + q',
    'encoding',
    ({ proof }) => (proof.pi_b[1] = [at(proof.pi_b[1], 0), add(at(proof.pi_b[1], 1), q)]),
  ],
  ['pi_a off the curve', 'point', ({ proof }) => (proof.pi_a = ['1', '3', '1'])],
  ['pi_a (0, 0)', 'point', ({ proof }) => (proof.pi_a = ['0', '0', '1'])],
  ['pi_c off the curve', 'point', ({ proof }) => (proof.pi_c = proof.pi_c.with(0, add(proof.pi_c[0], -1n)))],
  ['pi_c (0, 0)', 'point', ({ proof }) => (proof.pi_c = ['0', '0', '1'])],
  [
    'pi_b off the twist',
    'point',
    ({ proof }) =>
      (proof.pi_b = [
        ['1', '2'],
        ['3', '4'],
        ['1', '0'],
      ]),
  ],
  [
    'pi_b zero',
    'point',
    ({ proof }) =>
      (proof.pi_b = [
        ['0', '0'],
        ['0', '0'],
        ['1', '0'],
      ]),
  ],
  [
    'pi_b as contracts want it',
    'point',
    ({ proof }) => (proof.pi_b = [...proof.pi_b.slice(0, 2).map((pair) => pair.toReversed()), ['1', '0']]),
  ],
  ['seven signals', 'signals', ({ publicSignals }) => publicSignals.pop()],
  ['nine signals', 'signals', ({ publicSignals }) => publicSignals.push('0')],
  ['no signals', 'signals', ({ publicSignals }) => publicSignals.splice(0)],
  ['a signal + r', 'signals', ({ publicSignals }) => (publicSignals[2] = add(publicSignals[2], r))],
  ['a signal of r', 'signals', ({ publicSignals }) => (publicSignals[2] = `${r}`)],
  ['a negative signal', 'signals', ({ publicSignals }) => (publicSignals[3] = '-1')],
  ['a signal of "-0"', 'signals', ({ publicSignals }) => (publicSignals[3] = '-0')],
  ['a signal as a number', 'signals', ({ publicSignals }) => (publicSignals[4] = 2)],
  ['a signal that is null', 'signals', ({ publicSignals }) => (publicSignals[4] = null)],
  ['a signal with a leading zero', 'signals', ({ publicSignals }) => (publicSignals[4] = '02')],
  ['a signal with an exponent', 'signals', ({ publicSignals }) => (publicSignals[4] = '2e0')],
  ['a signal with a fraction', 'signals', ({ publicSignals }) => (publicSignals[4] = '2.0')],
  ['another signal', 'equation', ({ publicSignals }) => (publicSignals[2] = add(publicSignals[2], 1n))],
  [
    'two signals swapped',
    'equation',
    ({ publicSignals }) => publicSignals.splice(0, 2, publicSignals[1], publicSignals[0]),
  ],
  ['−A', 'equation', ({ proof }) => (proof.pi_a[1] = `${q - BigInt(proof.pi_a[1] as string)}`)],
  ['A and C swapped', 'equation', ({ proof }) => ([proof.pi_a, proof.pi_c] = [proof.pi_c, proof.pi_a])],
]

let verifier: Groth16Verifier
beforeAll(async () => {
  verifier = await createGroth16Verifier(CIRCUIT_KEYS, 4)
})

function loadLoosely(): LooseProof {
  return loadProofs('withdraw')[0] as unknown as LooseProof
}

describe('a valid proof is refused after a change:', () => {
  test.each(mutations)('%s: %s', (_, reason, mutate) => {
    const vector = loadLoosely()
    mutate(vector)
    expect(verifier.verify('withdraw', [vector])).toEqual([{ valid: false, reason }])
    // It is also refused in a batch with valid proofs, which remain valid.
    const valid = loadLoosely()
    expect(verifier.verify('withdraw', [valid, vector, valid])).toEqual([
      { valid: true },
      { valid: false, reason },
      { valid: true },
    ])
  })
})

test.each([null, undefined, 5, 'proof', [], {}])('a proof that is %o is refused', (proof) => {
  const { publicSignals } = loadLoosely()
  expect(verifier.verify('withdraw', [{ proof, publicSignals }])).toEqual([
    { valid: false, reason: 'encoding' },
  ])
})

test.each([null, undefined, 5, '12345678', {}, { length: 8 }])(
  'signals that are %o are refused',
  (publicSignals) => {
    const { proof } = loadLoosely()
    expect(verifier.verify('withdraw', [{ proof, publicSignals }])).toEqual([
      { valid: false, reason: 'signals' },
    ])
  },
)

test('a proof of another circuit is refused', () => {
  const [commitment] = loadProofs('commitment')
  expect(verifier.verify('withdraw', [commitment as never])).toEqual([{ valid: false, reason: 'signals' }])
  const padded = { ...commitment, publicSignals: [...(commitment?.publicSignals ?? []), '0', '0', '0', '0'] }
  expect(verifier.verify('withdraw', [padded as never])).toEqual([{ valid: false, reason: 'equation' }])
})
