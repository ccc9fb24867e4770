import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { createQuoteSigner } from '../../../../proving/signing/quote-signer.ts'
import { writeDelegation } from '../../../../relayer/transact/intents/delegation.ts'
import { writeIntent } from '../../../../relayer/transact/intents/intent-wire.ts'
import { canonicalizeQuote, signQuote } from '../../../../relayer/transact/signing/sign-quote.ts'
import { canonicalize, verifyPayload, verifyQuote } from '../../../../schema/client/quotes/verify-quote.ts'
import { buildIntent } from '../../../../relayer/transact/intents/intent.ts'

const newSigner = () =>
  createQuoteSigner(
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ format: 'pem', type: 'pkcs8' })
      .toString(),
  )
const signer = newSigner()

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type Quote = { [name: string]: Json }

const intent = buildIntent({
  eoa: '0x1000000000000000000000000000000000000001',
  calls: [{ to: zeroAddress, value: 1n, data: '0x' }],
  intentNonce: 1n << 100n,
  combinedGas: 100_000n,
  expiry: 1_900_000_000n,
  accountImplementation: '0x3000000000000000000000000000000000000003',
})
const domain = { name: 'Orchestrator', version: '1', chainId: 1, verifyingContract: zeroAddress }
const delegation = { chainId: 1, address: intent.eoa, contractAddress: zeroAddress, authorizationNonce: 0 }

/** A quote in wire form. */
const quote = JSON.parse(
  JSON.stringify({
    quoteId: '0f8fad5b-d9cb-469f-a165-70867728950e',
    expiresAt: '2030-01-01T00:00:00.000Z',
    intents: [writeIntent(intent, 7n, domain)],
    delegations: [writeDelegation(delegation, 7n)],
    amountIn: '1000',
    slippageBps: 50,
    priceImpact: 0.0125,
    outputRecipientOwned: false,
    destinationName: null,
    fees: { network: '12', dust: '0', service: '1', vetting: null, waived: true },
    outputSymbol: 'Ξ€"\\\n',
  }),
) as Quote

/** The paths of all leaves of a quote. */
function listPaths(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (value === null) return []
  if (typeof value !== 'object') return [path]
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [
    ...(path.length > 0 ? [path] : []),
    ...below.flatMap(([name, item]) => listPaths(item, [...path, name])),
  ]
}

function changeAt(
  root: Quote,
  path: readonly (string | number)[],
  change: (old: Json) => Json | undefined,
): Quote {
  const copy = structuredClone(root)
  const [last, ...parents] = path.toReversed()
  let place = copy as Record<string | number, Json>
  for (const name of parents.toReversed()) place = place[name] as Record<string | number, Json>
  const changed = change(place[last!]!)
  if (changed === undefined) {
    if (Array.isArray(place)) place.splice(Number(last), 1)
    else delete place[last!]
  } else place[last!] = changed
  return copy
}

const alter = (old: Json): Json => {
  if (typeof old === 'string') return `${old} `
  if (typeof old === 'number') return old + 1
  if (typeof old === 'boolean') return !old
  return Array.isArray(old) ? [...old, 'more'] : { ...(old as Quote), more: 1 }
}

describe('canonical JSON', () => {
  it('equals the example of RFC 8785, 3.2', () => {
    const sample = JSON.parse(
      String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
    ) as Quote
    const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    expect(canonicalizeQuote(sample)).toBe(expected)
    expect(canonicalize(sample)).toBe(expected)
  })

  it('sorts names as in RFC 8785, 3.2.3', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const order = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
    const expected = `{${order.map((name) => `${JSON.stringify(name)}:"${sample[name as keyof typeof sample]}"`).join()}}`
    expect(canonicalizeQuote(sample)).toBe(expected)
    expect(canonicalize(sample)).toBe(expected)
  })

  // RFC 8785, appendix B: IEEE 754 bits and their text.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('writes the number %s as %s', (bits, text) => {
    const number = Buffer.from(bits, 'hex').readDoubleBE()
    expect(canonicalizeQuote({ number })).toBe(`{"number":${text}}`)
    expect(canonicalize({ number })).toBe(`{"number":${text}}`)
  })

  it('refuses values that JSON cannot represent', () => {
    for (const value of [NaN, Infinity, 5n, '\ud800']) expect(() => canonicalizeQuote({ value })).toThrow()
  })

  it('is the same text for service and client for any quote', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const { signature: _, ...signed } = value
        expect(canonicalizeQuote(value)).toBe(canonicalize(JSON.parse(JSON.stringify(signed)) as Json))
      }),
    )
  })
})

describe('a signed quote', () => {
  it("verifies with a client's data, in any order of members and without nulls", async () => {
    const { signature, signedPayload } = await signQuote(signer, quote)
    const signed = { ...quote, signature }
    expect(await verifyQuote(signed, signer.publicKey)).toBe(true)
    expect(await verifyPayload(signedPayload, signature, signer.publicKey)).toBe(true)
    const reordered = Object.fromEntries(Object.entries(signed).toReversed())
    const { destinationName: _, ...shorter } = reordered
    expect(await verifyQuote(shorter, signer.publicKey)).toBe(true)
    expect(await verifyQuote({ ...signed, planId: null }, signer.publicKey)).toBe(true)
  })

  it('does not verify with another key or another form of signature', async () => {
    const { signature } = await signQuote(signer, quote)
    expect(await verifyQuote({ ...quote, signature }, newSigner().publicKey)).toBe(false)
    for (const other of ['0x', signature.slice(2), `${signature}00`, null, 1])
      expect(await verifyQuote({ ...quote, signature: other }, signer.publicKey)).toBe(false)
  })

  it('does not verify after any change or removal of a member', async () => {
    const { signature } = await signQuote(signer, quote)
    const paths = listPaths(quote)
    expect(paths.length).toBeGreaterThan(90)
    for (const path of paths)
      for (const change of [alter, () => undefined]) {
        const changed = changeAt(quote, path, change)
        expect(await verifyQuote({ ...changed, signature }, signer.publicKey), path.join('.')).toBe(false)
      }
  })
})
