import { parseAbiItem, toFunctionSelector, toFunctionSignature, type AbiFunction } from 'viem'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isCanonicalSignature,
  selectorOf,
} from '../../../../relayer/inspect/function-signatures/canonical-signature.ts'

const elementary = fc.oneof(
  fc.constantFrom('address', 'bool', 'string', 'bytes', 'bytes1', 'bytes32', 'function'),
  fc.integer({ min: 1, max: 32 }).map((size) => `uint${size * 8}`),
  fc.integer({ min: 1, max: 32 }).map((size) => `int${size * 8}`),
)
const { type } = fc.letrec<{ type: string }>((tie) => ({
  type: fc
    .tuple(
      fc.oneof(
        { maxDepth: 4 },
        { weight: 4, arbitrary: elementary },
        {
          weight: 1,
          arbitrary: fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((of) => `(${of.join()})`),
        },
      ),
      fc.array(fc.constantFrom('[]', '[1]', '[20]'), { maxLength: 2 }),
    )
    .map(([of, arrays]) => of + arrays.join('')),
}))
const signature = fc
  .tuple(fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,12}$/), fc.array(type, { maxLength: 4 }))
  .map(([name, types]) => `f${name}(${types.join()})`)

test('every signature that a compiler could give is accepted, and has the selector that viem computes', () => {
  fc.assert(
    fc.property(signature, (text) => {
      const item = parseAbiItem(`function ${text}`) as AbiFunction
      expect(isCanonicalSignature(text)).toBe(true)
      expect(toFunctionSignature(item)).toBe(text)
      expect(selectorOf(text)).toBe(toFunctionSelector(item))
    }),
  )
})

test('an accepted signature that was changed in one place is either refused or another canonical one', () => {
  fc.assert(
    fc.property(
      signature,
      fc.nat(),
      fc.constantFrom('', ' ', '(', ')', ',', '[', 'x', '0', '\u202e'),
      (text, place, put) => {
        const at = place % text.length
        const changed = text.slice(0, at) + put + text.slice(at + 1)
        if (!isCanonicalSignature(changed)) return
        expect(toFunctionSignature(parseAbiItem(`function ${changed}`) as AbiFunction)).toBe(changed)
      },
    ),
  )
})

const deep = (depth: number) => `f(${'('.repeat(depth)}bool${')'.repeat(depth)})`

test.each([
  ['an alias', 'transfer(address,uint)'],
  ['a space', 'transfer(address, uint256)'],
  ['a name of a parameter', 'transfer(address to,uint256)'],
  ['a missing parenthesis', 'transfer(address'],
  ['an additional parenthesis', 'transfer(address))'],
  ['an empty tuple', 'transfer(())'],
  ['a type that there is not', 'transfer(uint257)'],
  ['bytes of 33', 'transfer(bytes33)'],
  ['an array of none', 'transfer(bool[0])'],
  ['no name', '(address)'],
  ['nine tuples within each other', deep(9)],
  ['more than 1,024 characters', `f(${Array.from({ length: 300 }, () => 'bool').join()})`],
])('%s is no canonical signature', (_, text) => {
  expect(isCanonicalSignature(text)).toBe(false)
})

test('eight tuples within each other are accepted', () => {
  expect(isCanonicalSignature(deep(8))).toBe(true)
})
