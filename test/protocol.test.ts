import { readFileSync } from 'node:fs'
import { buildSchema, isObjectType } from 'graphql'
import {
  bytesToHex,
  getAddress,
  hashTypedData,
  hexToBytes,
  parseAbi,
  recoverMessageAddress,
  recoverTypedDataAddress,
  serializeSignature,
  verifyMessage,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCommitmentDigest } from '../proving/signing/commitment-digest.ts'
import { deriveAddresses } from '../proving/derivation/derive-addresses.ts'
import { loadStealthCurve } from '../proving/derivation/stealth-curve.ts'
import { contactMessage } from '../relayer/account/address-book/contact-message.ts'
import { buildTree, proveMembership } from '../schema/client/pool/merkle-proof.ts'
import { commitmentOf, precommitmentOf } from '../schema/client/pool/note.ts'
import { commitmentInput, withdrawInput } from '../schema/client/pool/withdraw-input.ts'
import { deriveStealthAccount, privateKeyAt } from '../schema/client/keys/stealth-keys.ts'
import {
  changeSecrets,
  depositSecrets,
  deriveMasterSecrets,
  notePhrase,
} from '../schema/client/pool/note-secrets.ts'
import * as abis from '../schema/client/chain/abis.ts'
import { OPERATIONS } from '../schema/client/requests/operations.ts'
import { decodeCrossing } from '../schema/client/quotes/decode-crossing.ts'
import { decodeSwap } from '../schema/client/quotes/decode-swap.ts'
import { readCanonicalCalls } from '../schema/client/chain/read-canonical-calls.ts'
import { verifyQuote } from '../schema/client/quotes/verify-quote.ts'
import { openHpke } from '../relayer/identity/hpke.ts'
import { parseSignIn } from '../relayer/identity/check-sign-in.ts'
import { readKeyMaterial } from '../relayer/identity/key-material.ts'
import { computeContext, computeLabel, computeScope } from '../relayer/pool/state/formulas.ts'
import { hashNullifier } from './devnet/note-hashes.ts'
import { hashDelegation } from '../relayer/transact/intents/delegation.ts'
import { submittedIntent, hashIntent, INTENT_TYPES } from '../relayer/transact/intents/intent-wire.ts'
import {
  appendSuffix,
  encodeAttribution,
  encodeIntegrator,
} from '../relayer/transact/signing/calldata-caveats.ts'
import { canonicalizeQuote } from '../relayer/transact/signing/sign-quote.ts'
import { SWAP_PRICE_ERRORS } from '../relayer/transact/kinds/swap/errors.ts'
import { minimumOf } from '../relayer/transact/kinds/swap/slippage.ts'
import { swapUnavailable } from '../relayer/transact/errors.ts'
import { BRIDGE_ERRORS } from '../relayer/transact/venues/bridge/errors.ts'
import { encodeDepositCalls } from '../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'
import { encodeMessage } from '../relayer/transact/venues/bridge/across/across-venue.ts'
import { encodeSwapCalls } from '../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import { computeRelayFeeBps } from '../relayer/pool/relay/relay-fee.ts'
import { decodeCalls } from '../relayer/transact/intents/intent.ts'

const document = readFileSync(new URL('../PROTOCOL.md', import.meta.url), 'utf8')
const vectors = [...document.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text]) => JSON.parse(text ?? '') as { vector: string },
)

const hex = z.templateLiteral(['0x', z.string()])
const address = hex.transform((text) => getAddress(text))
const integer = z.union([z.string(), z.int()]).transform(BigInt)
const secrets = { p_spend: hex, p_view: hex }

/** One check for each vector of the document: the service's result, and where possible the client's. */
const checks: Record<string, (vector: unknown) => void | Promise<void>> = {
  keys(vector) {
    const keys = z
      .object({ ...secrets, P_spend: hex, P_view: hex, authAddress: hex, child_p_view: hex })
      .parse(vector)
    const spender = privateKeyToAccount(keys.p_spend)
    expect(spender.publicKey).toBe(keys.P_spend)
    expect(spender.address).toBe(keys.authAddress)
    expect(privateKeyToAccount(keys.p_view).publicKey).toBe(keys.P_view)
    expect(bytesToHex(childViewKeyOf(keys.p_view))).toBe(keys.child_p_view)
  },

  async 'sign-in'(vector) {
    const { p_spend, message, signature } = z
      .object({ p_spend: hex, message: z.string(), signature: hex })
      .parse(vector)
    const signer = await recoverMessageAddress({ message, signature })
    expect(parseSignIn(message).address).toBe(signer)
    expect(privateKeyToAccount(p_spend).address).toBe(signer)
  },

  async hpke(vector) {
    const sealed = z
      .object({
        serverPrivateKey: z.hex(),
        encapsulatedKey: z.base64(),
        ciphertext: z.base64(),
        P_spend: z.string(),
        P_view: z.string(),
        child_p_view: z.string(),
      })
      .parse(vector)
    const opened = await openHpke(Buffer.from(sealed.serverPrivateKey, 'hex'), {
      encapsulatedKey: Buffer.from(sealed.encapsulatedKey, 'base64'),
      ciphertext: Buffer.from(sealed.ciphertext, 'base64'),
    })
    expect(opened && readKeyMaterial(opened)).toEqual({
      spendPublicKey: sealed.P_spend,
      viewPublicKey: sealed.P_view,
      childViewKey: sealed.child_p_view,
    })
  },

  async 'stealth-addresses'(vector) {
    const { p_spend, p_view, addresses } = z
      .object({ ...secrets, addresses: z.array(z.object({ derivationNonce: integer, address })) })
      .parse(vector)
    const childViewKey = childViewKeyOf(p_view)
    const nonces = addresses.map(({ derivationNonce }) => derivationNonce)
    const spendPublicKey = hexToBytes(privateKeyToAccount(p_spend).publicKey)
    const derived = deriveAddresses(await loadStealthCurve(), { childViewKey, spendPublicKey }, nonces)
    expect(derived).toEqual(addresses.map((one) => one.address))
    const controlled = nonces.map((nonce) => deriveStealthAccount(p_spend, childViewKey, nonce).address)
    expect(controlled).toEqual(derived)
  },

  async 'quote-signature'(vector) {
    const { quote, canonical, publicKey, signature } = z
      .object({
        quote: z.record(z.string(), z.json()),
        canonical: z.string(),
        publicKey: z.hex(),
        signature: hex,
      })
      .parse(vector)
    expect(canonicalizeQuote(quote)).toBe(canonical)
    const key = { publicKey, curve: 'P-256', algorithm: 'ECDSA' }
    expect(await verifyQuote({ ...quote, signature }, key)).toBe(true)
    expect(await verifyQuote({ ...quote, slippageBps: 51, signature }, key)).toBe(false)
  },

  async intent(vector) {
    const { domain, intent, calls, digest, signature, ...keys } = z
      .object({
        ...secrets,
        domain: z.object({
          name: z.string(),
          version: z.string(),
          chainId: z.int(),
          verifyingContract: address,
        }),
        intent: z.looseObject({ derivationNonce: integer }),
        calls: z.array(z.object({ to: address, value: integer, data: hex })),
        digest: hex,
        signature: hex,
      })
      .parse(vector)
    const { intent: read } = submittedIntent.parse({
      ...intent,
      derivationNonce: String(intent.derivationNonce),
      signature,
    })
    expect(decodeCalls(read.executionData)).toEqual(calls)
    expect(hashIntent(read, domain)).toBe(digest)
    const message = { ...read, multichain: false, calls, nonce: read.intentNonce }
    const signer = deriveStealthAccount(keys.p_spend, childViewKeyOf(keys.p_view), intent.derivationNonce)
    const typed = { domain, types: INTENT_TYPES, primaryType: 'Intent', message } as const
    expect(hashTypedData(typed)).toBe(digest)
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(read.eoa)
    expect(signer.address).toBe(read.eoa)
  },

  swap(vector) {
    const told = z
      .object({
        routing: z.string(),
        tokenIn: address,
        tokenOut: address,
        wrapped: address,
        router: address,
        fee: z.int(),
        deadline: integer,
        allowanceBefore: integer,
        expectedOutput: integer,
        slippageBps: z.int(),
        calls: z.array(z.object({ to: address, value: integer, data: hex })),
        amountIn: integer,
        minimumOutput: integer,
        outputRecipient: address,
      })
      .parse(vector)
    const { tokenIn, tokenOut, wrapped, router, fee, calls, amountIn, outputRecipient: recipient } = told
    const minimum = minimumOf(told.expectedOutput, told.slippageBps)
    expect(minimum).toBe(told.minimumOutput)
    const pool = {
      version: 3,
      fee,
      tokenIn,
      tokenOut: wrapped,
      sqrtPrice: 0n,
      tick: 0,
      averageTick: null,
    } as const
    const part = { payer: recipient, recipient, amountIn, minimum, deadline: told.deadline }
    const encoded = encodeSwapCalls(
      { router, tokenIn, tokenOut, hops: [pool] },
      { ...part, allowance: told.allowanceBefore },
    )
    expect(encoded.map((call) => ({ ...call, data: call.data.toLowerCase() }))).toEqual(calls)
    const asked = { chainId: 1, tokenIn, tokenOut, amountIn, contracts: { wrapped, router } }
    expect(decodeSwap(calls, told.routing, asked)).toEqual({
      amountIn,
      minimum,
      recipient,
      deadline: told.deadline,
    })
  },

  crossing(vector) {
    checkCrossing(vector)
  },

  'calldata-caveats'(vector) {
    const { codes, integratorIds, calls, calldataCaveats } = z
      .object({
        codes: z.array(z.string()),
        integratorIds: z.array(hex),
        calls: z.array(z.object({ data: hex, canonical: hex })),
        calldataCaveats: z.array(
          z.object({
            callIndex: z.int(),
            kind: z.enum(['erc8021', 'across-integrator']),
            policyVersion: z.int(),
            verifier: z.string(),
            suffixLength: z.int(),
            canonicalCalldataHash: hex,
            suffixHash: hex,
          }),
        ),
      })
      .parse(vector)
    const suffixes = {
      erc8021: encodeAttribution(codes),
      'across-integrator': encodeIntegrator(integratorIds[0] ?? '0x'),
    }
    for (const caveat of calldataCaveats) {
      const call = calls[caveat.callIndex]
      const { data } = call ?? {}
      expect(appendSuffix(call?.canonical ?? '0x', suffixes[caveat.kind], caveat.callIndex)).toEqual({
        data,
        caveat,
      })
    }
    const signed = calls.map(({ data }) => ({ to: zeroAddress, value: 0n, data }))
    const read = readCanonicalCalls(signed, calldataCaveats, { codes, integratorIds })
    expect(read.map(({ data }) => data)).toEqual(calls.map(({ canonical }) => canonical))
  },

  async delegation(vector) {
    const { derivationNonce, hash, signature, authorizationNonce, ...delegation } = z
      .object({
        ...secrets,
        derivationNonce: integer,
        chainId: z.int(),
        contractAddress: address,
        authorizationNonce: z.int(),
        hash: hex,
        signature: hex,
      })
      .parse(vector)
    const { chainId, contractAddress } = delegation
    const account = deriveStealthAccount(
      delegation.p_spend,
      childViewKeyOf(delegation.p_view),
      derivationNonce,
    )
    const authorization = { chainId, contractAddress, nonce: authorizationNonce }
    const signed = await account.signAuthorization(authorization)
    expect(serializeSignature({ r: signed.r, s: signed.s, yParity: signed.yParity ?? 0 })).toBe(signature)
    expect(await recoverAuthorizationAddress({ authorization, signature })).toBe(account.address)
    const { address: eoa } = account
    expect(hashDelegation({ chainId, address: eoa, contractAddress, authorizationNonce })).toBe(hash)
  },

  async contact(vector) {
    const { p_spend, message, signature, ...contact } = z
      .object({
        p_spend: hex,
        accountId: z.string(),
        address,
        name: z.string(),
        issuedAt: z.string(),
        message: z.string(),
        signature: hex,
      })
      .parse(vector)
    expect(contactMessage(contact)).toBe(message)
    const { address: signer } = privateKeyToAccount(p_spend)
    expect(await verifyMessage({ address: signer, message, signature })).toBe(true)
  },

  note(vector) {
    const note = z
      .object({
        pool: address,
        chainId: z.int(),
        asset: address,
        scope: integer,
        depositNonce: integer,
        label: integer,
        nullifier: integer,
        secret: integer,
        precommitment: integer,
        value: integer,
        commitment: integer,
        nullifierHash: integer,
      })
      .parse(vector)
    expect(computeScope(note.pool, note.chainId, note.asset)).toBe(note.scope)
    expect(computeLabel(note.scope, note.depositNonce)).toBe(note.label)
    expect(precommitmentOf(note)).toBe(note.precommitment)
    expect(commitmentOf(note)).toBe(note.commitment)
    expect(hashNullifier(note.nullifier)).toBe(note.nullifierHash)
  },

  'note-secrets'(vector) {
    const secrets = { nullifier: integer, secret: integer }
    const told = z
      .object({
        p_spend: hex,
        p_view: hex,
        entropy: hex,
        mnemonic: z.string(),
        masterNullifier: integer,
        masterSecret: integer,
        scope: integer,
        deposits: z.array(z.object({ ...secrets, depositIndex: integer, precommitment: integer })).nonempty(),
        change: z.object({
          ...secrets,
          label: integer,
          withdrawalIndex: integer,
          value: integer,
          commitment: integer,
        }),
      })
      .parse(vector)
    const { entropy, mnemonic, masterNullifier, masterSecret, deposits, change } = told
    expect(notePhrase(told.p_spend, told.p_view)).toEqual({ entropy, mnemonic })
    const master = deriveMasterSecrets(mnemonic)
    expect(master).toEqual({ masterNullifier, masterSecret })
    for (const { depositIndex, precommitment, ...own } of deposits) {
      expect(depositSecrets(master, told.scope, depositIndex)).toEqual(own)
      expect(precommitmentOf(own)).toBe(precommitment)
    }
    const { nullifier, secret, value, label, commitment } = change
    expect(changeSecrets(master, label, change.withdrawalIndex)).toEqual({ nullifier, secret })
    expect(commitmentOf({ nullifier, secret, value, label })).toBe(commitment)
  },

  'deposit-fee'(vector) {
    const { vettingFeeBps, deposits } = z
      .object({
        vettingFeeBps: integer,
        deposits: z.array(z.object({ net: integer, gross: integer, fee: integer })).nonempty(),
      })
      .parse(vector)
    // As the Entrypoint computes it, and that no smaller deposit is worth as much.
    const feeOf = (gross: bigint) => (gross * vettingFeeBps) / 10_000n
    for (const { net, gross, fee } of deposits) {
      expect(((net - 1n) * 10_000n) / (10_000n - vettingFeeBps) + 1n).toBe(gross)
      expect(feeOf(gross)).toBe(fee)
      expect(gross - fee).toBe(net)
      expect(gross - 1n - feeOf(gross - 1n)).toBeLessThan(net)
    }
  },

  'merkle-proof'(vector) {
    const { leaves, root, index, siblings } = z
      .object({ leaves: z.array(integer), root: integer, index: integer, siblings: z.array(integer) })
      .parse(vector)
    const proof = proveMembership(buildTree(leaves), leaves.at(-1) ?? 0n)
    expect({ root: proof.root, index: proof.index }).toEqual({ root, index })
    expect(proof.siblings).toEqual([...siblings, ...Array<bigint>(32 - siblings.length).fill(0n)])
  },

  circuit(vector) {
    const described = z.record(z.string(), z.string())
    const { withdraw, commitment } = z.object({ withdraw: described, commitment: described }).parse(vector)
    const note = { nullifier: 1n, secret: 2n, value: 3n, label: 4n }
    const input = withdrawInput({
      note,
      amount: 1n,
      change: { nullifier: 5n, secret: 6n },
      stateTree: buildTree([commitmentOf(note)]),
      aspTree: buildTree([note.label]),
      context: 7n,
    })
    expect(Object.keys(withdraw)).toEqual(Object.keys(input))
    expect(Object.keys(commitment)).toEqual(Object.keys(commitmentInput(note)))
  },

  withdrawal(vector) {
    const { scope, context, ...withdrawal } = z
      .object({ processooor: address, data: hex, scope: integer, context: integer })
      .parse(vector)
    expect(computeContext(withdrawal, scope)).toBe(context)
  },

  'relay-fee'(vector) {
    const { feeBps, ...input } = z
      .object({
        baseFeeBps: integer,
        gasPrice: integer,
        gas: z.array(integer),
        amountInWei: integer,
        feeBps: integer,
      })
      .parse(vector)
    expect(computeRelayFeeBps(input)).toBe(feeBps)
  },

  async 'fee-commitment'(vector) {
    const { signer, digest, signature, ...message } = z
      .object({
        signer: address,
        chainId: z.int(),
        withdrawalData: hex,
        asset: address,
        expiration: integer,
        amount: integer,
        extraGas: z.boolean(),
        digest: hex,
        signature: hex,
      })
      .parse(vector)
    const computed = createCommitmentDigest().digest(message)
    expect(computed && bytesToHex(computed)).toBe(digest)
    expect(await recoverCommitment(message, signature)).toBe(signer)
  },
}

const childViewKeyOf = (viewKey: Hex) => privateKeyAt(hexToBytes(viewKey), `m/5564'/0'`)

function recoverCommitment(
  { chainId, ...message }: Parameters<ReturnType<typeof createCommitmentDigest>['digest']>[0],
  signature: Hex,
): Promise<Address> {
  const members =
    /RelayerCommitment\((.*)\)/
      .exec(document)?.[1]
      ?.split(',')
      .map((member) => member.split(' ')) ?? []
  return recoverTypedDataAddress({
    domain: { name: 'Privacy Pools Relayer', version: '1', chainId },
    types: { RelayerCommitment: members.map(([type = '', name = '']) => ({ type, name })) },
    primaryType: 'RelayerCommitment',
    message,
    signature,
  })
}

/** The service's encoding of a deposit whose message exchanges the bridged token, and the client's reading of it. */
function checkCrossing(vector: unknown): void {
  const chain = z.object({ chainId: z.int(), wrapped: address, router: address })
  const told = z
    .object({
      origin: chain.extend({ spokePool: address }),
      destination: chain.extend({ multicallHandler: address, fee: z.int() }),
      tokenIn: address,
      carriedAs: address,
      decimals: z.int(),
      tokenOut: address,
      depositor: address,
      outputRecipient: address,
      amountIn: integer,
      bridged: integer,
      minimumOutput: integer,
      quoteTimestamp: z.int(),
      fillDeadline: z.int(),
      calls: z.array(z.object({ to: address, value: integer, data: hex })),
    })
    .parse(vector)
  const { origin, destination, tokenIn, carriedAs, tokenOut, depositor, amountIn, bridged, fillDeadline } =
    told
  const { multicallHandler: handler, router, fee } = destination
  const pool = { version: 3, fee, sqrtPrice: 0n, tick: 0, averageTick: null } as const
  const calls = encodeSwapCalls(
    { router, tokenIn: carriedAs, tokenOut, hops: [{ ...pool, tokenIn: carriedAs, tokenOut }] },
    {
      payer: handler,
      recipient: told.outputRecipient,
      amountIn: bridged,
      minimum: told.minimumOutput,
      deadline: BigInt(fillDeadline),
      allowance: 0n,
    },
  )
  const encoded = encodeDepositCalls(
    {
      provider: 'across',
      originChainId: origin.chainId,
      destinationChainId: destination.chainId,
      depositor,
      recipient: handler,
      exclusiveRelayer: zeroAddress,
      inputToken: tokenIn,
      outputToken: carriedAs,
      inputAmount: amountIn,
      outputAmount: bridged,
      quoteTimestamp: told.quoteTimestamp,
      fillDeadline,
      exclusivityDeadline: 0,
      message: encodeMessage({ calls, recipient: told.outputRecipient }),
    },
    { spokePool: origin.spokePool, isCoin: false, allowance: 0n },
  )
  expect(encoded.map((call) => ({ ...call, data: call.data.toLowerCase() }))).toEqual(told.calls)
  const { decimals } = told
  const read = decodeCrossing(told.calls, {
    chainId: origin.chainId,
    tokenIn,
    tokenOut,
    amountIn,
    contracts: origin,
    crossing: {
      chainId: destination.chainId,
      spokePool: origin.spokePool,
      multicallHandler: handler,
      contracts: destination,
      carried: [{ input: { token: tokenIn, decimals }, output: { token: carriedAs, decimals } }],
      now: told.quoteTimestamp,
    },
  })
  expect(read).toEqual({
    routing: 'CHAINED',
    swapsAfter: true,
    amountIn,
    minimum: told.minimumOutput,
    recipient: told.outputRecipient,
    depositor,
    deadline: BigInt(fillDeadline),
    fillDeadline,
  })
}

test('every vector of PROTOCOL.md has a check, and every check has a vector', () => {
  expect(vectors.map(({ vector }) => vector).toSorted()).toEqual(Object.keys(checks).toSorted())
})

test.each(vectors)('the service agrees with the vector $vector of PROTOCOL.md', async (vector) => {
  await checks[vector.vector]?.(vector)
})

test('PROTOCOL.md gives instructions for every code that only swaps are refused with', () => {
  const swaps = document.split('\n### Swaps\n')[1]?.split('\n## ')[0] ?? ''
  const explained = [...swaps.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code = '']) => code)
  const known = [...SWAP_PRICE_ERRORS, ...BRIDGE_ERRORS, swapUnavailable].map(({ terms }) => terms.code)
  expect(explained.toSorted()).toEqual(known.toSorted())
})

test('the functions of contracts are those by which the client package decodes calls', () => {
  const printed = [...document.matchAll(/```abi\n([\s\S]*?)```/g)].map(([, text = '']) =>
    parseAbi(text.trim().split('\n')),
  )
  const { messageParameters: _, ...known } = abis
  expect(printed).toEqual(Object.values(known))
})

test('each route that PROTOCOL.md names has its field of GraphQL, in the table and in the schema', () => {
  const [routes = '', graph = ''] = document.split('\n## 21. By GraphQL\n')
  const named = (text: string) =>
    [...text.matchAll(/`((?:GET|POST|PUT) (?:\/v1|\/relayer|…)\/[^`?]*)[^`]*`/g)].map(([, route = '']) =>
      route.replace('/v1/accounts/{accountId}/', '…/'),
    )
  const rows = [...graph.matchAll(/^\| (`(?:GET|POST|PUT) .*`) \| (.*) \|$/gm)].flatMap(
    ([, left = '', right = '']) => {
      const fields = [...right.matchAll(/`(\w+\.)?(\w+)`/g)]
      return named(left).map((route, at) => ({ route, owner: fields[at]?.[1], field: fields[at]?.[2] }))
    },
  )
  const inTable = new Set(rows.map(({ route }) => route))
  expect(named(routes).filter((route) => !inTable.has(route))).toEqual([])

  const schema = buildSchema(
    readFileSync(new URL('../schema/printed/schema.graphql', import.meta.url), 'utf8'),
  )
  const routeOf = new Map(
    Object.entries(OPERATIONS).map(([name, [method, path]]) => [
      name,
      `${method} ${path.replace('/v1/accounts/{accountId}/', '…/')}`,
    ]),
  )
  for (const { route, owner, field = '' } of rows) {
    expect(routeOf.get(field), route).toBe(route)
    const types = owner ? [schema.getType('Account')] : [schema.getQueryType(), schema.getMutationType()]
    const fields = types.flatMap((type) => (isObjectType(type) ? Object.keys(type.getFields()) : []))
    expect(fields, route).toContain(field)
  }
})
