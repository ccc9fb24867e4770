import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { bytesToHex, hexToBytes, numberToBytes, type Hex } from 'viem'
import { privateKeyToAddress, publicKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { deriveAddresses, DERIVATION_NONCE_END } from '../../../proving/derivation/derive-addresses.ts'
import { loadStealthCurve, portableStealthCurve } from '../../../proving/derivation/stealth-curve.ts'
import {
  childViewKeyOf,
  derivePlainly,
  multiplyByShared,
  publicKeyOf,
  stealthKeyOf,
} from './derive-plainly.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const spendKey = new Uint8Array(32).fill(0x11)
const spendPublicKey = publicKeyOf(spendKey)
const childViewKey = childViewKeyOf(new Uint8Array(32).fill(0x22))
const keys = { childViewKey, spendPublicKey }
const native = await loadStealthCurve()

const someKey = fc.bigInt(1n, ORDER - 1n).map((key) => numberToBytes(key, { size: 32 }))
const someNonce = fc.oneof(
  fc.bigInt(0n, DERIVATION_NONCE_END - 1n),
  fc.bigInt(0n, 1n << 30n),
  fc.constantFrom((1n << 28n) - 1n, 1n << 28n, (1n << 53n) + 1n, DERIVATION_NONCE_END - 1n),
)

describe('the published vectors', () => {
  test('give authAddress and child_p_view', () => {
    expect(publicKeyToAddress(bytesToHex(spendPublicKey))).toBe('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A')
    expect(bytesToHex(childViewKey)).toBe(
      '0x735c7099fbc7cad79ee3482a3d8b64e1643c824f5d99f1350c00c20a9a81ca25',
    )
  })

  test.each([native, portableStealthCurve])('give the addresses (native: $native)', (curve) => {
    const addresses = deriveAddresses(curve, keys, [0n, 1n, 268_435_456n])
    expect(addresses.map((address) => address.toLowerCase())).toEqual([
      '0x54a7ea4391eca945c18896c62fbee877adb4b7de',
      '0x2d82006abb3b9c139dce04954dbbe1ad7d555ee7',
      '0x9445ebe598bd4141c77fd8acd1680e66664902c6',
    ])
  })

  test.each([native, portableStealthCurve])(
    'give the results of the last two steps alone (native: $native)',
    (curve) => {
      const key = hexToBytes('0x641f9f8b285fa1d22b009ea8c947bb6d88129b320b729d98810b40b51e8572c7')
      const derived = hexToBytes('0x4f80725f967e22f2597e363f977bb563de45c5e22e9c3594ebc0de8bdccf8945')
      const { address, tweak } = multiplyByShared(derived, publicKeyOf(key))
      expect(address).toBe('0xf4126489Ac2F0df6441d0B72EFcC760EF0C19706')
      const point = curve.multiply(publicKeyOf(key), numberToBytes(tweak, { size: 32 }))
      expect(publicKeyToAddress(`0x04${bytesToHex(point).slice(2)}`)).toBe(address)
      expect(privateKeyToAddress(stealthKeyOf(key, tweak))).toBe(address)
    },
  )
})

describe('any keys and derivationNonces', () => {
  test('derive the same as other libraries, and the spending key controls the address', () => {
    fc.assert(
      fc.property(someKey, someKey, someNonce, (spend, view, nonce) => {
        const child = childViewKeyOf(view)
        const plain = derivePlainly(child, publicKeyOf(spend), nonce)
        const [address] = deriveAddresses(
          native,
          { childViewKey: child, spendPublicKey: publicKeyOf(spend) },
          [nonce],
        )
        expect(address).toBe(plain.address)
        expect(privateKeyToAddress(stealthKeyOf(spend, plain.tweak))).toBe(address)
      }),
      { numRuns: 60 },
    )
  })

  test('derive the same in one batch as one by one, in any order', () => {
    fc.assert(
      fc.property(fc.array(someNonce, { maxLength: 12 }), (nonces) => {
        const single = nonces.flatMap((nonce) => deriveAddresses(native, keys, [nonce]))
        expect(deriveAddresses(native, keys, nonces)).toEqual(single)
      }),
      { numRuns: 30 },
    )
  })

  test('derive the same with the portable code', () => {
    fc.assert(
      fc.property(someKey, someNonce, (view, nonce) => {
        const both = [native, portableStealthCurve].map((curve) =>
          deriveAddresses(curve, { childViewKey: view, spendPublicKey }, [nonce]),
        )
        expect(both[1]).toEqual(both[0])
      }),
      { numRuns: 20 },
    )
  })
})

test('the largest derivationNonce works, larger and negative ones are refused', () => {
  expect(deriveAddresses(native, keys, [DERIVATION_NONCE_END - 1n])).toEqual([
    derivePlainly(childViewKey, spendPublicKey, DERIVATION_NONCE_END - 1n).address,
  ])
  for (const nonce of [0x7ff_ffff_ffff_ffffn, 0x800_0000_0000_0000n, -1n])
    expect(() => deriveAddresses(native, keys, [0n, nonce])).toThrow(RangeError)
})

test('the given keys are not changed', () => {
  const given = { childViewKey: childViewKey.slice(), spendPublicKey: spendPublicKey.slice() }
  deriveAddresses(native, given, [0n, 7n])
  expect(given).toEqual(keys)
})

describe.each([native, portableStealthCurve])('the curve (native: $native)', (curve) => {
  const { x, y } = secp256k1.Point.fromBytes(spendPublicKey).toAffine()
  const hex = (value: bigint) => value.toString(16).padStart(64, '0')

  test.each<[string, Hex]>([
    ['off the curve', `0x04${hex(x)}${hex(y + 1n)}`],
    ['infinity', '0x00'],
    ['zero coordinates', `0x04${'00'.repeat(64)}`],
    ['a coordinate beyond the field', `0x04${'ff'.repeat(32)}${hex(y)}`],
    ['nothing', '0x'],
    ['a byte too many', `0x04${hex(x)}${hex(y)}00`],
  ])('an invalid point (%s) is never multiplied', (_, text) => {
    expect(() => curve.multiply(hexToBytes(text), spendKey)).toThrow()
  })

  test.each([
    [0n, false],
    [1n, true],
    [ORDER - 1n, true],
    [ORDER, false],
    [ORDER + 1n, false],
    [2n ** 256n - 1n, false],
  ])('handles %d as a private key', (scalar, expected) => {
    const key = numberToBytes(scalar, { size: 32 })
    expect(curve.isKey(key)).toBe(expected)
    if (!expected) expect(() => curve.multiply(spendPublicKey, key)).toThrow()
  })

  test('refuses a sum of zero and a tweak of n or more', () => {
    const key = () => numberToBytes(5n, { size: 32 })
    expect(() => curve.addToKey(key(), numberToBytes(ORDER - 5n, { size: 32 }))).toThrow()
    expect(() => curve.addToKey(key(), numberToBytes(ORDER, { size: 32 }))).toThrow()
    const sum = key()
    curve.addToKey(sum, numberToBytes(ORDER - 4n, { size: 32 }))
    expect(sum).toEqual(numberToBytes(1n, { size: 32 }))
  })
})
