import { maxUint256, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAddress, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProvingPool } from '../../../../proving/proving-pool.ts'
import { loadEcdsa } from '../../../../proving/signing/ecdsa.ts'
import { batchGasLimit, roundUpCoarsely } from '../../../../relayer/transact/intents/batch-gas.ts'
import { judgeDelegation, readDelegationState } from '../../../../relayer/transact/intents/delegation.ts'
import { findExecution } from '../../../../relayer/transact/intents/find-execution.ts'
import { SendingChains } from '../../../../relayer/transact/intents/sending-chain.ts'
import { findOutcome } from '../../../../relayer/transact/intents/intent-outcome.ts'
import { type Call, type Intent, encodeIntent } from '../../../../relayer/transact/intents/intent.ts'
import { simulateIntent } from '../../../../relayer/transact/intents/simulate-intent.ts'
import { startIntentWorld, type IntentWorld } from './start-intent-world.ts'
import { shareProvingPool } from '../../../harness/share-proving-pool.ts'
import { hashIntent, recoverIntentSigner } from '../../../../relayer/transact/intents/intent-wire.ts'

let world: IntentWorld
let proving: ProvingPool
beforeAll(async () => {
  ;[world, proving] = await Promise.all([
    startIntentWorld(),
    shareProvingPool({ threads: 1, commitmentKeys: [] }),
  ])
})
afterAll(async () => {
  await proving.close()
  await world.stop()
})

const thief = () => world.thief.account.address
const somebody = () => privateKeyToAddress(generatePrivateKey())
const succeeded = { state: 'succeeded', error: null }

async function simulate(intent: Intent, authorizationNonce: number | null = 0) {
  const delegation =
    authorizationNonce === null ? null : { contractAddress: world.intents.accountProxy, authorizationNonce }
  return simulateIntent(proving, world.chain, { intent, delegation, timeoutMs: 5_000 })
}

async function measure(intent: Intent, authorizationNonce: number | null = 0) {
  const simulated = await simulate(intent, authorizationNonce)
  if (!simulated.success) throw new Error(`the simulation failed: ${simulated.revert.name}`)
  return simulated
}

describe('an account that the chain has never seen', () => {
  it('pays tokens, coins and our fee in a transaction of another sender, later without a delegation', async () => {
    const { pay, draft, sign, send, delegate, balanceOf, reader } = world
    const account = await world.openAccount(100n, 1_000n)
    const [recipient, collector] = [somebody(), somebody()]
    const calls: Call[] = [
      pay(recipient, 60n),
      { to: recipient, value: 700n, data: '0x' },
      pay(collector, 1n),
    ]

    const unsigned = draft(account.address, calls)
    const gas = await measure(unsigned)
    expect(gas.outcome.assetChanges.filter(({ type }) => type === 'erc20')).toHaveLength(2)
    const intent = await sign(account, { ...unsigned, combinedGas: gas.combinedGas })
    expect(recoverIntentSigner(await loadEcdsa(), intent, world.domain)).toBe(account.address)

    const delegation = await delegate(account)
    const before = await readDelegationState(reader, account.address)
    expect(judgeDelegation(delegation, before)).toBe('applies')
    const first = await send([intent], { delegations: [delegation], gas: batchGasLimit([gas]) })
    expect(first.receipt.type).toBe('eip7702')
    expect(findOutcome(first.outcomes, intent)).toMatchObject(succeeded)
    expect(await balanceOf(recipient)).toBe(60n)
    expect(await balanceOf(collector)).toBe(1n)
    expect(await reader.getBalance({ address: recipient })).toBe(700n)
    expect(first.receipt.gasUsed).toBeLessThanOrEqual(gas.transactionGas)

    const after = await readDelegationState(reader, account.address)
    expect(after).toEqual({ authorizationNonce: 1, delegatesTo: world.intents.accountProxy })
    expect(judgeDelegation(delegation, after)).toBe('needless')

    const again = draft(account.address, [pay(recipient, 9n)])
    const cheaper = await measure(again, null)
    const second = await send([await sign(account, { ...again, combinedGas: cheaper.combinedGas })], {
      gas: batchGasLimit([cheaper]),
    })
    expect(second.receipt.type).toBe('eip1559')
    expect(second.outcomes).toMatchObject([succeeded])
    expect(await balanceOf(recipient)).toBe(69n)
    expect(cheaper.transactionGas).toBeLessThan(gas.transactionGas)
  })

  it('is batched with others within the gas limit from the simulations', async () => {
    const { draft, sign, send, delegate, pay, balanceOf } = world
    const recipient = somebody()
    const accounts: PrivateKeyAccount[] = []
    for (let index = 0; index < 5; index += 1) accounts.push(await world.openAccount(10n))
    const unsigned = accounts.map(({ address }) => draft(address, [pay(recipient, 10n)]))
    const gas = await Promise.all(unsigned.map((intent) => measure(intent)))
    const signed = await Promise.all(
      unsigned.map((intent, index) =>
        sign(accounts[index]!, { ...intent, combinedGas: gas[index]!.combinedGas }),
      ),
    )
    const delegations = await Promise.all(accounts.map((account) => delegate(account)))
    const { outcomes, receipt } = await send(signed, { delegations, gas: batchGasLimit(gas) })
    expect(outcomes).toHaveLength(5)
    for (const intent of signed) expect(findOutcome(outcomes, intent)).toMatchObject(succeeded)
    expect(await balanceOf(recipient)).toBe(50n)
    const alone = gas.reduce((sum, { transactionGas }) => sum + transactionGas, 0n)
    expect(receipt.gasUsed).toBeLessThan(alone)
  })
})

describe('the signed gas', () => {
  const simulatorAbi = parseAbi([
    'function simulateV1Logs(address oc, uint8 paymentPerGasPrecision, uint256 paymentPerGas, uint256 combinedGasIncrement, uint256 combinedGasVerificationOffset, bytes encodedIntent) payable returns (uint256 gasUsed, uint256 combinedGas)',
  ])

  it('is enough according to the published simulator, and not much more', async () => {
    const { draft, pay, sign, intents, reader } = world
    const account = await world.openAccount(10n)
    const unsigned = draft(account.address, [pay(somebody(), 10n)])
    const gas = await measure(unsigned)
    const signed = await sign(await world.openAccount(0n), { ...unsigned, combinedGas: 0n })
    const { result } = await reader.simulateContract({
      address: intents.simulator!,
      abi: simulatorAbi,
      functionName: 'simulateV1Logs',
      args: [intents.orchestrator, 0, 0n, 11_000n, 0n, encodeIntent(signed)],
      account: thief(),
      gas: 30_000_000n,
      stateOverride: [
        { address: thief(), balance: maxUint256 },
        { address: account.address, code: `0xef0100${intents.accountProxy.slice(2)}` },
      ],
    })
    const [used, enough] = result
    expect(gas.combinedGas).toBeGreaterThan(used)
    expect(gas.combinedGas).toBeGreaterThanOrEqual(used + used / 5n)
    expect(gas.combinedGas).toBeLessThan(enough * 2n)
    // It is public, and has the same value as many others.
    expect(gas.combinedGas).toBe(roundUpCoarsely(gas.combinedGas, 3))
  })

  it("is not guessed when the chain's nodes are silent", async () => {
    const { config, chain, draft, pay } = world
    const silent = { ...chain, nodes: { ...chain.nodes, urls: () => ['http://127.0.0.1:1'] } }
    const intent = draft(somebody(), [pay(somebody(), 1n)])
    await expect(
      simulateIntent(proving, silent, { intent, delegation: null, timeoutMs: 500 }),
    ).rejects.toThrow()
    const { sending: _, ...rest } = config
    await expect(
      simulateIntent(proving, { ...chain, config: rest }, { intent, delegation: null, timeoutMs: 500 }),
    ).rejects.toMatchObject({ kind: 'bad-request' })
  })
})

describe('domains', () => {
  it('are read from the contract once, and again after a failure', async () => {
    const { chain, chainId, domain, config, intents } = world
    let reads = 0
    const client = {
      ...chain.client,
      readContract: ((call: never) => {
        reads += 1
        return reads === 1 ? Promise.reject(new Error('silence')) : chain.client.readContract(call)
      }) as typeof chain.client.readContract,
    }
    const domains = new SendingChains(new Map([[chainId, { ...chain, client }]]), () => undefined)
    await expect(domains.domainOf(chainId)).rejects.toThrow('silence')
    expect(await Promise.all([domains.domainOf(chainId), domains.domainOf(chainId)])).toEqual([
      domain,
      domain,
    ])
    expect(reads).toBe(2)
    await expect(domains.domainOf(5)).rejects.toMatchObject({ kind: 'bad-request' })
    const other = { ...config, sending: { ...intents, orchestrator: intents.accountImplementation } }
    const wrong = new SendingChains(new Map([[chainId, { ...chain, config: other }]]), () => undefined)
    // The account contract has an EIP-712 domain as well; the name distinguishes the two.
    await expect(wrong.domainOf(chainId)).rejects.toThrow('no domain of an Orchestrator')
  })
})

describe('about failures:', () => {
  it('a wrong authorization nonce is detected before the chain ignores it', async () => {
    const { draft, sign, send, delegate, pay, reader, balanceOf } = world
    const account = await world.openAccount(10n)
    const recipient = somebody()
    const delegation = await delegate(account, 5)
    const state = await readDelegationState(reader, account.address)
    expect(judgeDelegation(delegation, state)).toBe('stale')
    const intent = await sign(account, draft(account.address, [pay(recipient, 10n)]))
    const { receipt, outcomes } = await send([intent], { delegations: [delegation] })
    expect(receipt.status).toBe('success')
    expect(findOutcome(outcomes, intent).state).toBe('untouched')
    expect(findOutcome(outcomes, intent).error).toBe('UnsupportedAccountImplementation')
    expect(await balanceOf(recipient)).toBe(0n)
    expect(await simulate(draft(account.address, [pay(recipient, 10n)]), null)).toMatchObject({
      success: false,
    })
  })

  it('a second execution of the same intent does nothing', async () => {
    const { draft, sign, send, delegate, pay, balanceOf } = world
    const account = await world.openAccount(100n)
    const recipient = somebody()
    const intent = await sign(account, draft(account.address, [pay(recipient, 10n)]))
    const first = await send([intent], { delegations: [await delegate(account)] })
    expect(first.outcomes).toMatchObject([succeeded])
    const replay = await send([intent])
    expect(replay.receipt.status).toBe('success')
    expect(replay.outcomes).toMatchObject([{ state: 'untouched', error: 'InvalidNonce' }])
    expect(await balanceOf(recipient)).toBe(10n)
  })

  it('a copied intent cannot pay another payment recipient', async () => {
    const { draft, sign, send, delegate, pay, balanceOf, thief, token, reader } = world
    const account = await world.openAccount(100n)
    const [recipient, collector] = [somebody(), somebody()]
    const intent = await sign(account, draft(account.address, [pay(recipient, 10n), pay(collector, 3n)]))
    const delegations = [await delegate(account)]
    const before = await balanceOf(thief.account.address)

    // The intent does not run if the payment exceeds the signed one.
    const greedy = {
      ...intent,
      paymentRecipient: thief.account.address,
      paymentAmount: 50n,
      paymentToken: token,
    }
    const refused = await send([greedy], { delegations, from: thief })
    expect(refused.outcomes).toMatchObject([{ state: 'untouched' }])

    const copied = { ...intent, paymentRecipient: thief.account.address }
    const stolen = await send([copied], { delegations, from: thief })
    expect(findOutcome(stolen.outcomes, intent)).toMatchObject(succeeded)
    expect(await balanceOf(thief.account.address)).toBe(before)
    const { orchestrator } = world.intents
    const range = { fromBlock: 0n, toBlock: await reader.getBlockNumber() }
    const execution = await findExecution(reader, orchestrator, intent, range)
    expect(execution).toMatchObject({ hash: stolen.receipt.transactionHash, outcome: succeeded })
    const nobodys = { ...intent, intentNonce: 1n << 64n }
    expect(await findExecution(reader, orchestrator, nobodys, range)).toBe(null)
    expect(await balanceOf(collector)).toBe(3n)
    // Our transaction is mined second: nothing is executed twice, and the copy's outcome is the intent's.
    const late = await send([intent], { delegations })
    expect(late.outcomes).toMatchObject([{ state: 'untouched', error: 'InvalidNonce' }])
    expect(await balanceOf(recipient)).toBe(10n)
  })

  it('a failing call uses the nonce, and the simulation explains it before', async () => {
    const { draft, sign, send, delegate, pay, balanceOf } = world
    const account = await world.openAccount(100n)
    const recipient = somebody()
    const unsigned = draft(account.address, [pay(recipient, 10n), pay(recipient, 1_000n)])
    const foretold = await simulate(unsigned)
    expect(foretold).toMatchObject({ success: false })
    const intent = await sign(account, unsigned)
    const { outcomes } = await send([intent], { delegations: [await delegate(account)] })
    expect(outcomes).toMatchObject([{ state: 'burnt' }])
    expect(await balanceOf(recipient)).toBe(0n)
    expect((await send([intent])).outcomes).toMatchObject([{ state: 'untouched', error: 'InvalidNonce' }])
  })

  it.each([
    ['a signature of somebody else', 'VerificationError', async (): Promise<Partial<Intent>> => ({})],
    ['an intent that has expired', 'IntentExpired', async () => ({ expiry: 1n })],
    [
      'another implementation',
      'UnsupportedAccountImplementation',
      async () => ({ supportedAccountImplementation: somebody() }),
    ],
  ])('%s is refused as %s', async (_, error, change) => {
    const { draft, sign, send, delegate, pay } = world
    const account = await world.openAccount(100n)
    const signer = error === 'VerificationError' ? await world.openAccount(0n) : account
    const intent = await sign(signer, draft(account.address, [pay(somebody(), 1n)], await change()))
    const { outcomes } = await send([intent], { delegations: [await delegate(account)] })
    expect(outcomes).toMatchObject([{ state: 'untouched', error }])
  })

  it('too little combinedGas can fail without an error', async () => {
    const { draft, sign, send, delegate, pay } = world
    const account = await world.openAccount(100n)
    await send([await sign(account, draft(account.address, [pay(somebody(), 1n)]))], {
      delegations: [await delegate(account)],
    })
    const payment = {
      paymentToken: world.token,
      paymentMaxAmount: 1n,
      paymentAmount: 1n,
      paymentRecipient: somebody(),
    }
    const states = new Set<string>()
    for (let combinedGas = 2_000n; combinedGas <= 90_000n; combinedGas += 2_000n) {
      const intent = draft(account.address, [pay(somebody(), 1n)], { combinedGas, ...payment })
      const { outcomes } = await send([await sign(account, intent)])
      const { state, error } = findOutcome(outcomes, intent)
      states.add(`${state} ${error}`)
    }
    expect(states).toContain('untouched null')
    // An error may mislead: with too little gas even a valid nonce is reported as invalid.
    expect(states).toContain('untouched InvalidNonce')
    expect(states).toContain('burnt CallError')
    expect(states).toContain('succeeded null')
  })

  it('a transaction with less gas than the intent asks for reverts as a whole', async () => {
    const { draft, sign, send, delegate, pay } = world
    const account = await world.openAccount(100n)
    const intent = await sign(
      account,
      draft(account.address, [pay(somebody(), 1n)], { combinedGas: 900_000n }),
    )
    const { receipt, outcomes } = await send([intent], {
      delegations: [await delegate(account)],
      gas: 500_000n,
    })
    expect(receipt.status).toBe('reverted')
    expect(findOutcome(outcomes, intent)).toMatchObject({ state: 'untouched', error: null })
  })
})

it('a multichain nonce signs without a chain id, as the contract does', async () => {
  const { draft, sign, send, delegate, pay, domain } = world
  const account = await world.openAccount(100n)
  const intent = draft(account.address, [pay(somebody(), 1n)], {
    intentNonce: (0xc1d0n << 240n) | (7n << 64n),
  })
  expect(hashIntent(intent, domain)).toBe(hashIntent(intent, { ...domain, chainId: 5 }))
  const { outcomes } = await send([await sign(account, intent)], { delegations: [await delegate(account)] })
  expect(outcomes).toMatchObject([succeeded])
})
