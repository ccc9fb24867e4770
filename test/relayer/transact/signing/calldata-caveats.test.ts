import fc from 'fast-check'
import { concat, encodeFunctionData, erc20Abi, keccak256, size, type Address, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { attributeCalls, attributionOf } from '../../../../relayer/transact/quotes/build-intents.ts'
import {
  appendSuffix,
  encodeAttribution,
  encodeIntegrator,
} from '../../../../relayer/transact/signing/calldata-caveats.ts'
import type { QuotesConfig } from '../../../../relayer/transact/quotes/config.ts'
import {
  readCanonicalCalls,
  type Call,
  type CalldataCaveat,
} from '../../../../schema/client/chain/read-canonical-calls.ts'

const TOKEN = '0x1000000000000000000000000000000000000001'
const published = { codes: ['relay', 'venue'], integratorIds: ['0x00ab'] as Hex[] }
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [TOKEN, 5n] })
const callOf = (data: Hex): Call => ({ to: TOKEN, value: 0n, data })
const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const data = fc.uint8Array({ minLength: 0, maxLength: 200 }).map(hexOf)
const suffixes = fc.oneof(
  fc.subarray(published.codes, { minLength: 1 }).map(encodeAttribution),
  fc.constant(encodeIntegrator('0x00ab')),
)

it('whatever the calls are, a wallet gets them back without their suffixes', () => {
  fc.assert(
    fc.property(fc.array(data, { minLength: 1, maxLength: 8 }), suffixes, (all, suffix) => {
      const calls = all.map(callOf)
      const marked = attributeCalls(calls, ({ data: bytes }) => (size(bytes) > 4 ? suffix : null))
      expect(readCanonicalCalls(marked.calls, marked.caveats, published)).toEqual(calls)
      expect(marked.caveats).toHaveLength(all.filter((one) => size(one) > 4).length)
    }),
  )
})

it('a wallet refuses a suffix after any bit of the call has changed', () => {
  const marked = appendSuffix(transfer, encodeAttribution(['relay']), 0)
  fc.assert(
    fc.property(fc.nat(size(marked.data) * 8 - 1), (bit) => {
      const bytes = Buffer.from(marked.data.slice(2), 'hex')
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => readCanonicalCalls([callOf(hexOf(bytes))], [marked.caveat], published)).toThrow(
        'other hashes',
      )
    }),
  )
})

it('a wallet refuses a caveat of another kind, version, length, order or code than it knows', () => {
  const { data: marked, caveat } = appendSuffix(transfer, encodeAttribution(['relay']), 0)
  const read = (changes: Partial<CalldataCaveat>, bytes = marked) =>
    readCanonicalCalls([callOf(bytes)], [{ ...caveat, ...changes }], published)
  expect(read({})).toEqual([callOf(transfer)])
  const lies: [Partial<CalldataCaveat>, string][] = [
    [{ kind: 'erc9999' }, 'kind'],
    [{ kind: 'constructor' }, 'kind'],
    [{ verifier: 'erc8021/schema-1' }, 'kind'],
    [{ policyVersion: 2 }, 'kind'],
    [{ suffixLength: 0 }, 'more bytes'],
    [{ suffixLength: 1.5 }, 'more bytes'],
    [{ suffixLength: size(marked) - 4 }, 'more bytes'],
    [{ suffixLength: caveat.suffixLength - 1 }, 'other hashes'],
    [{ suffixHash: keccak256('0x') }, 'other hashes'],
    [{ callIndex: 1 }, 'no call'],
    [{ callIndex: -1 }, 'order'],
  ]
  for (const [lie, words] of lies) expect(() => read(lie), JSON.stringify(lie)).toThrow(words)
  expect(() => readCanonicalCalls([callOf(marked)], [caveat, caveat], published)).toThrow('order')

  const foreign = appendSuffix(transfer, encodeAttribution(['relay', 'tracker']), 0)
  const stranger = appendSuffix(transfer, encodeIntegrator('0x00ac'), 0)
  const hidden = concat(['0xdeadbeef', encodeAttribution(['relay']).bytes])
  const padded = appendSuffix(transfer, { kind: 'erc8021', bytes: hidden }, 0)
  for (const told of [foreign, stranger, padded])
    expect(() => readCanonicalCalls([callOf(told.data)], [told.caveat], published)).toThrow('not publish')
})

it('deposits with Across carry the integrator’s id, other calls of a swap the codes, and sends nothing', () => {
  const spokePool: Address = '0x2000000000000000000000000000000000000002'
  const acrossDefaults = { timeoutMs: 3_000, maxFeeBps: 300, fillDeadlineSeconds: 3_600 }
  const venues = { across: { ...acrossDefaults, spokePool, feesUrl: 'http://127.0.0.1', tokens: [] } }
  const attribution: QuotesConfig['attribution'] = {
    codes: ['relay'],
    acrossIntegratorId: '0x00ab',
    kinds: ['swap'],
  }
  const calls = [callOf(transfer), { ...callOf(transfer), to: spokePool }, callOf('0xd0e30db0')]
  const attributed = (kind: string, config: Pick<QuotesConfig, 'attribution'>) =>
    attributeCalls(calls, attributionOf(config, kind, { venues })).caveats.map((caveat) => [
      caveat.callIndex,
      caveat.kind,
    ])
  expect(attributed('swap', { attribution })).toEqual([
    [0, 'erc8021'],
    [1, 'across-integrator'],
  ])
  expect(attributed('send', { attribution })).toEqual([])
  expect(attributed('swap', { attribution: undefined })).toEqual([])
})

it('codes that a suffix cannot hold are refused', () => {
  for (const codes of [[], [''], ['a,b'], ['ü'], ['a b'], Array.from({ length: 9 }, () => 'x'.repeat(30))])
    expect(() => encodeAttribution(codes)).toThrow(RangeError)
  expect(() => encodeIntegrator('0x00')).toThrow(RangeError)
  expect(() => appendSuffix('0xd0e30db0', encodeAttribution(['relay']), 0)).toThrow(RangeError)
})
