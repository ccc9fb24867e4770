import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { connectWallet, type Wallet } from '../devnet/wallet/connect-wallet.ts'
import { encodeRelay } from '../../relayer/pool/relay/encode-relay.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { loadRelayVectors, replayVectorDeposits, VectorMisfit, type RelayVector } from './load-relay-vectors.ts'
import { at } from './relay-story.ts'
import { describeRemade, REMADE_RELAYS } from './remade-relays.ts'

const vectors = loadRelayVectors()
const { story } = vectors
let test: TestDevnet
let sender: Wallet

beforeAll(async () => {
  test = await startTestDevnet({ deterministic: true })
  await replayVectorDeposits(vectors, at(test.devnet.chains, 0))
  sender = connectWallet(test.chain, at(test.chain.accounts, 5).privateKey)
})
afterAll(() => test[Symbol.asyncDispose]())

async function relay(vector: RelayVector) {
  const { expiration, ...terms } = { expiration: 0, withdrawalData: vector.withdrawal.data, amount: vector.amount }
  const feeCommitment = { ...terms, expiration, asset: vector.asset, signedRelayerCommitment: '0x', extraGas: false } as const
  const data = encodeRelay({ ...vector, feeCommitment })
  const hash = await sender.sender.sendTransaction({ to: story.entrypoint, data })
  return sender.reader.waitForTransactionReceipt({ hash })
}

describe('relay vectors', () => {
  it('are 62 native and 2 token relays of different notes, with one state root per pool', () => {
    const signals = (index: number, pool: string) =>
      new Set(vectors.relays.filter((vector) => vector.pool === pool).map(({ publicSignals }) => publicSignals[index]))
    expect([signals(1, 'native').size, signals(1, 'token').size]).toEqual([62, 2])
    expect([signals(3, 'native').size, signals(3, 'token').size]).toEqual([1, 1])
  })

  it('hold a proof for every relay that is remade with other data', () => {
    const contexts = REMADE_RELAYS.map((one) => String(describeRemade(story, one).context))
    expect(vectors.remade.map(({ publicSignals }) => publicSignals.at(-1))).toEqual(contexts)
  })

  it('withdraw from the native pool and pay recipient and fee receiver', async () => {
    const vector = at(vectors.relays, 7)
    const before = await sender.reader.getBalance({ address: story.feeRecipient })
    expect((await relay(vector)).status).toBe('success')
    expect(await sender.reader.getBalance({ address: vector.recipient })).toBe((vector.amount * 99n) / 100n)
    expect((await sender.reader.getBalance({ address: story.feeRecipient })) - before).toBe(vector.amount / 100n)
  })

  it('withdraw from the token pool', async () => {
    const vector = at(vectors.relays, 62)
    expect((await relay(vector)).status).toBe('success')
    const args = [vector.recipient] as const
    const balance = await sender.reader.readContract({ address: vector.asset, abi: erc20Abi, functionName: 'balanceOf', args })
    expect(balance).toBe((vector.amount * 99n) / 100n)
  })

  it('spend a note once', async () => {
    await expect(relay(at(vectors.relays, 7))).rejects.toThrow('revert')
  })

  it('let the depositor ragequit', async () => {
    const { proof, publicSignals } = vectors.ragequit
    const [[ax, ay], [bx, by], [cx, cy]] = [proof.pi_a, proof.pi_b, proof.pi_c]
    const numbers = (coordinates: readonly (string | undefined)[]) => coordinates.map((text) => BigInt(text ?? ''))
    const data = encodeFunctionData({
      abi: parseAbi(['function ragequit((uint256[2], uint256[2][2], uint256[2], uint256[4]) proof)']),
      args: [
        [
          numbers([ax, ay]) as [bigint, bigint],
          [numbers([bx?.[1], bx?.[0]]), numbers([by?.[1], by?.[0]])] as [[bigint, bigint], [bigint, bigint]],
          numbers([cx, cy]) as [bigint, bigint],
          numbers(publicSignals) as [bigint, bigint, bigint, bigint],
        ],
      ],
    })
    const to = story.pools.native.pool
    await expect(sender.sender.sendTransaction({ to, data })).rejects.toThrow('revert')
    const depositor = connectWallet(test.chain, story.depositor.privateKey)
    const hash = await depositor.sender.sendTransaction({ to, data })
    expect((await sender.reader.waitForTransactionReceipt({ hash })).status).toBe('success')
  })

  it('are refused on a used or another chain', async () => {
    const chain = at(test.devnet.chains, 0)
    await expect(replayVectorDeposits(vectors, chain)).rejects.toThrow('was the chain fresh?')
    await expect(replayVectorDeposits(vectors, { ...chain, chainId: 1 })).rejects.toThrow(VectorMisfit)
  })
})
