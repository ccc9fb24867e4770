import { BaseError, decodeErrorResult, encodeFunctionData, isHex, parseAbi, parseEther, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { associationSetsAbi } from '../pool-events.ts'
import { connectWallet, type Wallet } from '../wallet/connect-wallet.ts'
import { relayErrorAbi } from '../../../relayer/chain/contracts/privacy-pools.ts'
import { encodeRelayData } from '../../../relayer/pool/state/formulas.ts'
import { encodeRelay, encodeRelayWithTopUp } from '../../../relayer/pool/relay/encode-relay.ts'
import { loadRelayVectors, type RelayVector } from '../../vectors/load-relay-vectors.ts'
import { at } from '../../vectors/relay-story.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'

const vectors = loadRelayVectors()
const vector = at(vectors.relays, 3)
const { entrypoint, pools, postman, feeRecipient } = vectors.story
let test: TestDevnet
let wallet: Wallet

beforeAll(async () => {
  test = await startTestDevnet({}, { hasVectorDeposits: true })
  wallet = connectWallet(test.chain, at(test.chain.accounts, 2).privateKey)
})
afterAll(() => test[Symbol.asyncDispose]())

function calldata(change: Partial<RelayVector>): Hex {
  const feeCommitment = {
    expiration: 0,
    withdrawalData: vector.withdrawal.data,
    asset: vector.asset,
    amount: vector.amount,
    extraGas: false,
    signedRelayerCommitment: '0x',
  } as const
  return encodeRelay({ ...vector, ...change, feeCommitment })
}

/** Name of the error with which the chain refuses the call, or `accepted`. */
async function outcomeOf(data: Hex): Promise<string> {
  try {
    await wallet.reader.call({ account: wallet.account, to: entrypoint, data })
    return 'accepted'
  } catch (error) {
    const answer =
      error instanceof BaseError ? error.walk((cause) => isHex(Reflect.get(cause as object, 'data'))) : null
    const { data: revert } = answer as BaseError & { data: Hex }
    return decodeErrorResult({ abi: relayErrorAbi, data: revert }).errorName
  }
}

const withSignal = (index: number, value: bigint) => ({
  publicSignals: vector.publicSignals.map((signal, place) => (place === index ? String(value) : signal)),
})
const data = encodeRelayData({ recipient: feeRecipient, feeRecipient, relayFeeBps: 100n })

describe('the Entrypoint and its pools', () => {
  it('accept a vector as it is', async () => {
    expect(await outcomeOf(calldata({}))).toBe('accepted')
  })

  it.each<[string, Partial<RelayVector>]>([
    ['PoolNotFound', { scope: '1' }],
    ['InvalidProcessooor', { withdrawal: { ...vector.withdrawal, processooor: feeRecipient } }],
    ['ContextMismatch', { withdrawal: { ...vector.withdrawal, data } }],
    ['ContextMismatch', { scope: String(pools.token.scope) }],
    ['InvalidWithdrawalAmount', withSignal(2, 0n)],
    ['UnknownStateRoot', withSignal(3, 1n)],
    ['InvalidTreeDepth', withSignal(4, 33n)],
    ['IncorrectASPRoot', withSignal(5, 1n)],
    ['InvalidProof', withSignal(2, vector.amount + 1n)],
  ])('refuse by %s', async (name, change) => {
    expect(await outcomeOf(calldata(change))).toBe(name)
  })

  it('forget an ASP root when a newer one is published', async () => {
    const { sender, reader } = connectWallet(test.chain, postman.privateKey)
    const snapshot = await reader.request({ method: 'evm_snapshot' } as never)
    const call = { address: entrypoint, abi: associationSetsAbi, functionName: 'updateRoot' } as const
    const hash = await sender.writeContract({ ...call, args: [5n, 'another-root-'.padEnd(40, '0')] })
    await reader.waitForTransactionReceipt({ hash })
    expect(await outcomeOf(calldata({}))).toBe('IncorrectASPRoot')
    await reader.request({ method: 'evm_revert', params: [snapshot] } as never)
  })
})

describe('Multicall', () => {
  const multicall = () => at(test.devnet.chains, 0).relayer?.multicall ?? '0x'
  const value = parseEther('0.001')

  it('relays and tops up in one transaction, and relays even when the top-up fails', async () => {
    const [good, bad] = [at(vectors.relays, 62), at(vectors.relays, 63)]
    const topUp = encodeRelayWithTopUp(entrypoint, calldata(good), { recipient: good.recipient, value })
    const paid = await wallet.sender.sendTransaction({ to: multicall(), data: topUp, value })
    expect((await wallet.reader.waitForTransactionReceipt({ hash: paid })).status).toBe('success')
    expect(await wallet.reader.getBalance({ address: good.recipient })).toBe(value)

    // The Entrypoint takes native coins from its pool alone.
    const refused = encodeRelayWithTopUp(entrypoint, calldata(bad), { recipient: entrypoint, value })
    const hash = await wallet.sender.sendTransaction({ to: multicall(), data: refused, value })
    const { status, logs } = await wallet.reader.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
    expect(logs.length).toBeGreaterThan(3)
  })

  it('refuses values that do not add up, and calls that must not fail', async () => {
    const abi = parseAbi([
      'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable',
    ])
    const send = (allowFailure: boolean, sent: bigint) => {
      const call = { target: entrypoint, allowFailure, value, callData: '0x' } as const
      const input = encodeFunctionData({ abi, args: [[call]] })
      return wallet.reader.call({ account: wallet.account, to: multicall(), data: input, value: sent })
    }
    await expect(send(true, value)).resolves.toBeDefined()
    await expect(send(true, value + 1n)).rejects.toThrow('Multicall3: value mismatch')
    await expect(send(false, value)).rejects.toThrow('Multicall3: call failed')
  })
})
