import fc from 'fast-check'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError } from '../../../../relayer/service-error.ts'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import type { AssetConfig, RelayerConfig } from '../../../../relayer/chain/nodes/relayer-config.ts'
import { decodeRelayData } from '../../../../relayer/pool/state/formulas.ts'
import type { RelayerQuote, RelayRequest } from '../../../../relayer/pool/relay/withdrawals.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { untilFinal } from '../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { remakeProof } from './remake-proof.ts'

const WEI = 10n ** 18n
let service: TestService
let vectors: RelayVectors
let chain: ChainConfig
let relayer: RelayerConfig
let node: string

beforeAll(async () => {
  vectors = loadRelayVectors()
  service = await startTestService({}, { hasVectorDeposits: true })
  chain = service.parts.chains[0]!
  relayer = chain.relayer!
  node = chain.rpcUrls[0]!
})
afterAll(() => service?.stop())

const recipient: Address = '0x00000000000000000000000000000000BEEF0001'
const quote = (asset: AssetConfig, amount: bigint, extraGas: boolean) =>
  service.services.withdrawals.quote({ chainId: 31_337, amount, asset: asset.asset, recipient, extraGas })

/** Waits until quotes are made at about that base fee. */
async function setBaseFee(wei: bigint): Promise<void> {
  await askNode(node, 'anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`)
  await askNode(node, 'evm_mine')
  const mined = BigInt(await askNode<string>(node, 'eth_blockNumber'))
  const chainNow = async () => (await service.services.withdrawals.overview()).chains[0]!
  await expect.poll(async () => (await chainNow()).head).toBe(mined)
  const price = (wei * 9n) / 8n
  await expect
    .poll(async () => (await chainNow()).gasPrice)
    .toSatisfy((gasPrice: bigint) => gasPrice >= price && gasPrice <= price + 5n * 10n ** 9n)
}

const rateOf = ({ price }: AssetConfig) => (price?.kind === 'fixed' ? price.tokenPerNative : WEI)

/** Computes the fee as a published client does from the members of a quote. */
function recompute({ baseFeeBps, gasPrice, detail }: RelayerQuote, amountInWei: bigint): bigint {
  const costs = [detail.relayTxCost, detail.extraGasTxCost, detail.extraGasFundAmount].filter(
    (cost) => !!cost,
  )
  for (const { gas, eth } of costs) expect(eth).toBe(gas * gasPrice)
  return baseFeeBps + (10_000n * costs.reduce((sum, { eth }) => sum + eth, 0n)) / amountInWei
}

test.each([1n, 10n ** 9n, 30n * 10n ** 9n])(
  'at a base fee of %s wei a quote is consistent and pays the gas, and a refusal names a sufficient amount',
  async (baseFee) => {
    await setBaseFee(baseFee)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...relayer.assets),
        fc.boolean(),
        fc.bigInt(1n, 10n ** 6n),
        fc.bigInt(0n, 10n ** 6n),
        async (asset, extraGas, factor, rest) => {
          const amount = asset.minWithdrawAmount * factor + rest
          const given = await quote(asset, amount, extraGas).catch((error: unknown) => error)
          if (given instanceof ServiceError) {
            expect(given).toMatchObject({ kind: 'bad-request', code: 'WITHDRAWAL_AMOUNT_TOO_SMALL' })
            const smallest = BigInt(/at least (\d+) /.exec(given.message)?.[1] ?? 0n)
            expect(smallest).toBeGreaterThan(amount)
            expect((await quote(asset, smallest, extraGas)).feeCommitment.amount).toBe(smallest)
            return
          }
          const offered = given as RelayerQuote
          const amountInWei = (amount * WEI) / rateOf(asset)
          expect(offered.feeBps).toBe(recompute(offered, amountInWei))
          expect(offered.gasPrice).toBeLessThanOrEqual(relayer.maxGasPrice)
          expect(decodeRelayData(offered.feeCommitment.withdrawalData)).toMatchObject({
            recipient,
            relayFeeBps: offered.feeBps,
          })
          // The Entrypoint's payment is less than one smallest unit short of the gas, whatever the roundings.
          const fee = (amount * offered.feeBps) / 10_000n
          const gas = Object.values(offered.detail).reduce((sum, { eth }) => sum + eth, 0n)
          expect((fee + 1n) * WEI).toBeGreaterThan(gas * rateOf(asset))
        },
      ),
      { numRuns: 40 },
    )
  },
)

test('a withdrawal with extraGas for a contract that refuses coins confirms without giving anything away', async () => {
  await setBaseFee(10n ** 9n)
  const index = vectors.relays.findIndex(({ pool }) => pool === 'token')
  const vector = vectors.relays[index]!
  const asset = relayer.assets.find((item) => item.asset === vector.asset)!
  const refuser: Address = '0x00000000000000000000000000000000000Fee1d'.toLowerCase() as Address
  // PUSH0 PUSH0 REVERT
  await askNode(node, 'anvil_setCode', refuser, '0x5f5ffd')
  const terms = { chainId: 31_337, asset: asset.asset, recipient: refuser, extraGas: true }
  const { feeCommitment, feeBps } = await service.services.withdrawals.quote({
    ...terms,
    amount: vector.amount,
  })
  const made = await remakeProof(vectors, index, { recipient: refuser, relayFeeBps: feeBps })
  expect(made.withdrawal.data).toBe(feeCommitment.withdrawalData)
  const { withdrawal, proof, publicSignals, scope, chainId } = made
  const request: RelayRequest = { withdrawal, proof, publicSignals, scope, chainId, feeCommitment }
  const from = { clientAddress: '127.0.0.1', signal: new AbortController().signal }
  const answer = await service.services.withdrawals.request(request, from)
  expect(answer).toMatchObject({ success: true })
  expect(await untilFinal(service.url, answer.requestId)).toMatchObject({ status: 'confirmed' })
  expect(await askNode(node, 'eth_getBalance', relayer.multicall, 'latest')).toBe('0x0')
  const { ledger } = await service.services.withdrawals.overview()
  const booked = ledger.find((sum) => sum.asset === asset.asset)
  expect(booked).toMatchObject({ relays: 1, withdrawn: vector.amount, topUpSpent: 0n })
  expect(booked!.feeReceived).toBe((vector.amount * feeBps) / 10_000n)
  expect(booked!.feeReceived * WEI).toBeGreaterThanOrEqual(booked!.gasSpent * rateOf(asset))
})

test('extraGas that is not offered is refused with UNSUPPORTED_FEATURE, and the same request without it is quoted', async () => {
  const asset = relayer.assets.find(({ symbol }) => symbol === 'TUSD')!
  const { multicall: _, ...rest } = relayer
  const without = { ...chain, relayer: rest }
  const written = JSON.parse(
    JSON.stringify(without, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ) as object
  const bare = await startTestService({ chains: [written] })
  try {
    const ask = (extraGas: boolean) =>
      bare.services.withdrawals.quote({
        chainId: 31_337,
        amount: asset.minWithdrawAmount * 1_000n,
        asset: asset.asset,
        recipient,
        extraGas,
      })
    await expect
      .poll(() =>
        ask(false).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect(ask(true)).rejects.toMatchObject({
      kind: 'bad-request',
      code: 'UNSUPPORTED_FEATURE',
      message: 'UNSUPPORTED_FEATURE: extraGas is not offered on chain 31337; ask without it',
    })
  } finally {
    await bare.stop()
  }
})

test('when only extraGas makes the fee too high, the refusal has the message that clients look for', async () => {
  await setBaseFee(30n * 10n ** 9n)
  const asset = relayer.assets.find(({ symbol }) => symbol === 'TUSD')!
  const refusalOf = async (amount: bigint, extraGas: boolean) => {
    const given = await quote(asset, amount, extraGas).catch((error: unknown) => error)
    return given instanceof ServiceError ? given : null
  }
  const bound = async (extraGas: boolean) =>
    BigInt(
      /at least (\d+) /.exec((await refusalOf(asset.minWithdrawAmount, extraGas))?.message ?? '')?.[1] ?? 0n,
    )
  const [plain, withGas] = [await bound(false), await bound(true)]
  expect(plain).toBeLessThan(withGas)
  const between = await refusalOf(withGas - 1n, true)
  expect(between).toMatchObject({ code: 'WITHDRAWAL_AMOUNT_TOO_SMALL' })
  expect(between?.message).toContain('UNSUPPORTED_FEATURE')
  expect(await refusalOf(withGas - 1n, false)).toBeNull()
  // Below that the amount itself is too small: asking without extraGas would not help.
  const below = await refusalOf(asset.minWithdrawAmount, true)
  expect(below).toMatchObject({ code: 'WITHDRAWAL_AMOUNT_TOO_SMALL' })
  expect(below?.message).not.toContain('UNSUPPORTED_FEATURE')
})
