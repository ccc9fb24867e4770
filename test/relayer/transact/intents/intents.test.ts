import fc from 'fast-check'
import {
  keccak256,
  maxUint256,
  stringToHex,
  toEventSelector,
  toFunctionSelector,
  zeroAddress,
  type Abi,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { portableEcdsa } from '../../../../proving/signing/ecdsa.ts'
import { loadPublishedContracts } from '../../../devnet/deploy/published-contracts.ts'
import { batchGasLimit } from '../../../../relayer/transact/intents/batch-gas.ts'
import {
  hashDelegation,
  judgeDelegation,
  readDesignator,
  recoverDelegationSigner,
  submittedDelegation,
  writeDelegation,
} from '../../../../relayer/transact/intents/delegation.ts'
import { intentErrorAbi, orchestratorAbi } from '../../../../relayer/transact/intents/intent-abi.ts'
import { findOutcome, nameIntentError } from '../../../../relayer/transact/intents/intent-outcome.ts'
import {
  submittedIntent,
  writeIntent,
  hashIntent,
  INTENT_TYPES,
  typeIntent,
  recoverIntentSigner,
} from '../../../../relayer/transact/intents/intent-wire.ts'
import {
  buildIntent,
  createIntentNonce,
  decodeCalls,
  encodeCalls,
  encodeBatch,
  encodeIntent,
} from '../../../../relayer/transact/intents/intent.ts'

const domain = {
  name: 'Orchestrator',
  version: '0.5.5',
  chainId: 31_337,
  verifyingContract: '0x1000000000000000000000000000000000000001',
} as const
const owner = privateKeyToAccount(generatePrivateKey())
const target = '0x2000000000000000000000000000000000000002'
const intent = buildIntent({
  eoa: owner.address,
  calls: [{ to: target, value: 5n, data: '0xabcdef' }],
  intentNonce: createIntentNonce(),
  combinedGas: 123_456n,
  expiry: 1_900_000_000n,
  accountImplementation: '0x3000000000000000000000000000000000000003',
})
const signature = await owner.signTypedData(typeIntent(intent, domain))
const wire = () => ({ ...structuredClone(writeIntent(intent, 2n ** 55n + 1n, domain)), signature })

const selectorsOf = (abi: Abi) =>
  new Set(
    abi.flatMap((item) =>
      item.type === 'function' || item.type === 'error'
        ? [
            toFunctionSelector({
              ...item,
              type: 'function',
              outputs: [],
              stateMutability: 'view',
            }),
          ]
        : item.type === 'event'
          ? [toEventSelector(item)]
          : [],
    ),
  )

describe('our description of the contracts', () => {
  it('equals the ABI of the published contracts, errors included', async () => {
    const { Orchestrator, IntentAccount } = await loadPublishedContracts()
    const theirs = selectorsOf([...Orchestrator.abi, ...IntentAccount.abi])
    for (const selector of selectorsOf(orchestratorAbi)) expect(theirs).toContain(selector)
    const ours = selectorsOf(intentErrorAbi)
    const errors = selectorsOf(
      [...Orchestrator.abi, ...IntentAccount.abi].filter(({ type }) => type === 'error'),
    )
    for (const selector of errors) expect(ours).toContain(selector)
  })

  it('has the documented EIP-712 type', () => {
    const text = Object.entries(INTENT_TYPES).map(
      ([name, fields]) => `${name}(${fields.map((field) => `${field.type} ${field.name}`).join()})`,
    )
    expect(text.join('')).toBe(
      'Intent(bool multichain,address eoa,Call[] calls,uint256 nonce,address payer,address paymentToken,uint256 paymentMaxAmount,uint256 combinedGas,bytes[] encodedPreCalls,bytes[] encodedFundTransfers,address settler,uint256 expiry)Call(address to,uint256 value,bytes data)',
    )
  })

  it('names errors and shows unknown selectors', () => {
    expect(nameIntentError('0x00000000')).toBe(null)
    expect(nameIntentError(toFunctionSelector('function InvalidNonce()'))).toBe('InvalidNonce')
    expect(nameIntentError('0x01020304')).toBe('0x01020304')
  })

  it('selects the function by the number of intents', () => {
    const encoded = encodeIntent(intent)
    expect(encodeBatch([encoded]).slice(0, 10)).toBe(toFunctionSelector('function execute(bytes)'))
    expect(encodeBatch([encoded, encoded]).slice(0, 10)).toBe(toFunctionSelector('function execute(bytes[])'))
    expect(() => encodeBatch([])).toThrow(RangeError)
  })
})

describe('calls', () => {
  it('are in lower case, whatever the case of the calldata', () => {
    const [to, value] = [privateKeyToAccount(generatePrivateKey()).address, 0n]
    const data = encodeCalls([{ to, value, data: '0xABCDEFab' }])
    expect(data).toBe(encodeCalls([{ to, value, data: '0xabcdefab' }]))
    expect(data).toBe(data.toLowerCase())
  })

  const hex = fc
    .uint8Array({ maxLength: 80 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
  const call = fc.record({
    to: fc.constantFrom(target, zeroAddress),
    value: fc.bigInt({ min: 0n, max: maxUint256 }),
    data: hex,
  })

  it('are decoded as they were encoded', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 64 }), (calls) => {
        expect(decodeCalls(encodeCalls(calls))).toEqual(calls)
      }),
    )
  })

  it('are refused in any other encoding, and beyond their bounds', () => {
    const good = encodeCalls([{ to: target, value: 1n, data: '0x01' }])
    expect(decodeCalls('0x')).toBe(null)
    expect(decodeCalls(encodeCalls([]))).toBe(null)
    expect(decodeCalls(`${good}00`)).toBe(null)
    expect(decodeCalls(good.slice(0, -64) as `0x${string}`)).toBe(null)
    // The padding of the data, which readers ignore.
    expect(decodeCalls(`${good.slice(0, -2)}01` as `0x${string}`)).toBe(null)
    const tiny = { to: target, value: 0n, data: '0x' } as const
    expect(decodeCalls(encodeCalls(Array.from({ length: 64 }, () => tiny)))).toHaveLength(64)
    expect(decodeCalls(encodeCalls(Array.from({ length: 65 }, () => tiny)))).toBe(null)
    expect(decodeCalls(encodeCalls([{ ...tiny, data: `0x${'00'.repeat(65_536)}` }]))).toBe(null)
  })

  it('never throw, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const calls = decodeCalls(`0x${Buffer.from(bytes).toString('hex')}`)
        if (calls) expect(encodeCalls(calls)).toBe(`0x${Buffer.from(bytes).toString('hex')}`)
      }),
    )
  })
})

describe('nonces', () => {
  it('have a random key and sequence 0', () => {
    const nonces = Array.from({ length: 100 }, () => createIntentNonce())
    expect(new Set(nonces).size).toBe(100)
    for (const nonce of nonces) expect(nonce & 0xffff_ffff_ffff_ffffn).toBe(0n)
  })

  it('are drawn again when they would be valid on every chain', () => {
    const draws = [
      Uint8Array.from([0xc1, 0xd0, ...Array.from({ length: 22 }, () => 7)]),
      Uint8Array.from([0xc1, 0xd1, ...Array.from({ length: 22 }, () => 7)]),
    ]
    expect(createIntentNonce(() => draws.shift()!) >> 240n).toBe(0xc1d1n)
    expect(draws).toEqual([])
  })
})

describe('an intent on the wire', () => {
  it('is read as it was written, and recovers to its account', () => {
    const {
      chainId,
      derivationNonce,
      intent: read,
    } = submittedIntent.parse(JSON.parse(JSON.stringify(wire())))
    expect({ chainId, derivationNonce }).toEqual({ chainId: 31_337, derivationNonce: 2n ** 55n + 1n })
    expect(read).toEqual({ ...intent, signature })
    expect(recoverIntentSigner(portableEcdsa, read, domain)).toBe(owner.address)
  })

  it('has all that a wallet needs to sign', async () => {
    const { domain: shown, types, primaryType } = wire()
    const { message } = typeIntent(intent, domain)
    expect(await owner.signTypedData({ domain: shown, types, primaryType, message })).toBe(signature)
  })

  it('may have more members but not fewer', () => {
    expect(submittedIntent.safeParse({ ...wire(), more: 1 }).success).toBe(true)
    const needed = Object.keys(wire()).filter((key) => !['domain', 'types', 'primaryType'].includes(key))
    expect(needed).toHaveLength(22)
    for (const key of needed)
      expect(submittedIntent.safeParse({ ...wire(), [key]: undefined }).success, key).toBe(false)
  })

  it.each([
    ['chainId', '31337'],
    ['chainId', 0],
    ['eoa', `${owner.address}00`],
    ['eoa', owner.address.replace(/[a-f]/, (letter) => letter.toUpperCase()).replace('0x', '0X')],
    ['nonce', 5],
    ['nonce', '05'],
    ['nonce', '-1'],
    ['nonce', String(2n ** 256n)],
    ['nonce', '0x1'],
    ['derivationNonce', 7],
    ['combinedGas', '1.5'],
    ['combinedGas', ''],
    ['expiry', null],
    ['executionData', '0xabc'],
    ['executionData', `0x${'00'.repeat(65_537)}`],
    ['encodedPreCalls', ['0xzz']],
    ['encodedPreCalls', Array.from({ length: 17 }, () => '0x')],
    ['isMultichain', 'false'],
    ['signature', `${signature}00`],
    ['signature', signature.slice(0, -2)],
    ['signature', `${signature.slice(0, -2)}00`],
  ])('refuses %s = %s', (key, value) => {
    expect(submittedIntent.safeParse({ ...wire(), [key]: value }).success).toBe(false)
  })

  it('has a digest that depends on every relevant field', () => {
    const digest = hashIntent(intent, domain)
    const unsigned = new Set([
      'funder',
      'funderSignature',
      'settlerContext',
      'paymentAmount',
      'paymentRecipient',
      'signature',
      'paymentSignature',
      'supportedAccountImplementation',
      'isMultichain',
    ])
    for (const [key, value] of Object.entries(intent)) {
      const other =
        typeof value === 'bigint'
          ? value + 1n
          : Array.isArray(value)
            ? ['0x01']
            : key === 'executionData'
              ? encodeCalls([{ to: target, value: 6n, data: '0xabcdef' }])
              : target
      const changed = hashIntent({ ...intent, [key]: other }, domain)
      expect(changed !== digest, key).toBe(!unsigned.has(key))
    }
  })

  it('accepts canonical signatures only', () => {
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = (n - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
    const flipped = `${signature.slice(0, 66)}${high}${signature.endsWith('1b') ? '1c' : '1b'}` as const
    const signed = { ...intent, signature: flipped as `0x${string}` }
    expect(recoverIntentSigner(portableEcdsa, signed, domain)).toBe(null)
    expect(recoverIntentSigner(portableEcdsa, { ...intent, signature: '0x' }, domain)).toBe(null)
  })
})

describe('a delegation', () => {
  const delegation = {
    chainId: 31_337,
    address: owner.address,
    contractAddress: target,
    authorizationNonce: 3,
  } as const

  it('is signed as EIP-7702 says, and is read as it was written', async () => {
    const theirs = await owner.signAuthorization({ contractAddress: target, chainId: 31_337, nonce: 3 })
    const signature = await owner.sign({ hash: hashDelegation(delegation) })
    expect(signature).toContain(theirs.r.slice(2))
    const body = { ...writeDelegation(delegation, 9n), signature }
    const read = submittedDelegation.parse(JSON.parse(JSON.stringify(body)))
    expect(read).toEqual({ derivationNonce: 9n, delegation: { ...delegation, signature } })
    expect(recoverDelegationSigner(portableEcdsa, read.delegation)).toBe(owner.address)
    expect(recoverDelegationSigner(portableEcdsa, { ...read.delegation, authorizationNonce: 4 })).not.toBe(
      owner.address,
    )
    expect(submittedDelegation.safeParse({ ...body, chainId: 0 }).success).toBe(false)
    expect(submittedDelegation.safeParse({ ...body, derivationNonce: '9' }).success).toBe(false)
    expect(submittedDelegation.safeParse({ ...body, authorizationNonce: -1 }).success).toBe(false)
    expect(() => writeDelegation(delegation, 2n ** 53n)).toThrow(RangeError)
  })

  it('is recognised in the code of an account', () => {
    expect(readDesignator(`0xef0100${target.slice(2)}`)).toBe(target)
    expect(readDesignator(undefined)).toBe(null)
    expect(readDesignator(`0xef0100${target.slice(2)}00`)).toBe(null)
    expect(readDesignator(`0xef0101${target.slice(2)}`)).toBe(null)
  })

  it('is checked before it is sent', () => {
    expect(judgeDelegation(delegation, { authorizationNonce: 3, delegatesTo: null })).toBe('applies')
    expect(judgeDelegation(delegation, { authorizationNonce: 4, delegatesTo: null })).toBe('stale')
    expect(judgeDelegation(delegation, { authorizationNonce: 3, delegatesTo: zeroAddress })).toBe('applies')
    expect(judgeDelegation(delegation, { authorizationNonce: 4, delegatesTo: target })).toBe('needless')
  })
})

it('the gas limit of a batch has room for the combinedGas of each', () => {
  const one = { combinedGas: 63n, transactionGas: 1_000n }
  expect(batchGasLimit([one])).toBe(1_000n + 64n + 110_000n)
  expect(batchGasLimit([one, { combinedGas: 630n, transactionGas: 500n }])).toBe(
    1_500n + 64n + 640n + 110_000n,
  )
})

it('an intent without an event of its own was not executed', () => {
  expect(findOutcome([], intent)).toEqual({
    eoa: owner.address,
    intentNonce: intent.intentNonce,
    state: 'untouched',
    error: null,
  })
  expect(keccak256(stringToHex('IntentExecuted(address,uint256,bool,bytes4)'))).toBe(
    toEventSelector(orchestratorAbi.find(({ type }) => type === 'event')!),
  )
})
