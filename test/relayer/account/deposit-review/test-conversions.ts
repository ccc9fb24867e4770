import { parseEther, parseGwei, zeroAddress, type Address } from 'viem'
import { expect, it } from 'vitest'
import { depositAbi } from '../../../../relayer/chain/contracts/privacy-pools.ts'
import { proveRagequit } from '../../../../schema/client/pool/encode-ragequit.ts'
import { makeSecrets, precommitmentOf } from '../../../../schema/client/pool/note.ts'
import { startProver } from '../../../devnet/wallet/prover.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import { tellAspToDecline } from '../../../harness/tell-asp.ts'
import {
  listDeposits,
  precommitmentsFrom,
  type Depositor,
  type DepositQuote,
} from '../../transact/kinds/pool-deposit/start-deposit-world.ts'
import type { ReviewWorld } from './start-review-world.ts'

const ONE = parseEther('1')

/** Follows receipts and conversions on a real chain, whose association set provider approves and declines. */
export function testConversions(story: () => ReviewWorld): void {
  const node = (method: string, ...params: unknown[]) =>
    askNode(story().payer.chain.rpcUrl, method, ...params)
  const itemOf = async (owner: Depositor, address: string) =>
    (await story().readReview(owner)).items.find((item) => item.address === address)
  /** Until the item of an address is as expected; sixty requests a minute are allowed. */
  const until = (owner: Depositor, address: string, expected: object) =>
    expect.poll(() => itemOf(owner, address), { timeout: 60_000, interval: 500 }).toMatchObject(expected)

  it('conversions are pending until they are approved, declined, failed or taken back, and then say so', async () => {
    const { service, payer, native } = story()
    const owner = await story().openDepositor()
    const [whole, part, declined, failing] = await owner.receiveAll(zeroAddress, [ONE, 2n * ONE, ONE, ONE])
    await tellAspToDecline(service, declined!)
    const secrets = makeSecrets()
    let index = 0
    const convert = async (singleAddress: Address, body: object, precommitment?: bigint) => {
      const [note] = precommitmentsFrom(index)
      index += 1
      const quote = await owner.demand({
        singleAddress,
        precommitments: [precommitment ? { ...note, precommitment: String(precommitment) } : note],
        ...body,
      })
      return { quote, answer: await owner.submit(quote) }
    }
    const mined = ({ quoteId }: DepositQuote, end: string) =>
      expect.poll(() => story().statusOf(owner, quoteId), { timeout: 60_000 }).toBe(end)

    // They are pending for as long as no block takes them.
    await node('evm_setAutomine', false)
    const quotes = [
      await convert(whole!, { maxSend: true }),
      await convert(part!, { amount: String(ONE) }),
      await convert(declined!, { maxSend: true }, precommitmentOf(secrets)),
    ]
    expect(quotes.map(({ answer }) => answer.status)).toEqual([200, 200, 200])
    expect((await story().readReview(owner)).counts).toEqual({
      needsReview: 1,
      inProgress: 3,
      done: 0,
      skipped: 0,
    })
    await node('evm_setAutomine', true)
    await node('evm_mine')
    for (const { quote } of quotes) await mined(quote, 'confirmed')
    await waitUntilIndexed(service, payer)
    const deposits = await listDeposits(story(), native)
    const labelOf = (address: string) => String(deposits.find(({ account }) => account === address)?.label)
    await until(owner, whole!, {
      reviewStatus: 'done',
      statusReason: null,
      canConvert: false,
      primaryAsset: {
        available: '0',
        convertUnavailableReason: 'below_minimum',
        poolDeposit: { commitmentId: labelOf(whole!), status: 'approved' },
      },
    })
    await until(owner, part!, {
      reviewStatus: 'needsReview',
      statusReason: 'new_funds',
      canConvert: true,
      primaryAsset: { poolDeposit: { status: 'approved', amount: String(ONE) } },
    })
    await until(owner, declined!, {
      reviewStatus: 'needsReview',
      statusReason: 'deposit_declined',
      primaryAsset: { poolDeposit: { commitmentId: labelOf(declined!), status: 'declined' } },
    })

    await failByForestalling(owner, failing!, () => convert(failing!, { amount: String(ONE / 2n) }))
    await until(owner, failing!, {
      reviewStatus: 'needsReview',
      statusReason: 'deposit_failed',
      primaryAsset: {
        available: String(ONE),
        poolDeposit: { commitmentId: null, status: 'failed', txHash: null, amount: String(ONE / 2n) },
      },
    })

    const made = deposits.find(({ account }) => account === declined)!
    const prover = startProver()
    const recoverCalldata = await proveRagequit(prover, { ...secrets, value: made.value, label: made.label })
    await prover.close()
    const { status, body } = await owner.post('/pool-recover/prepare', {
      commitmentId: String(made.label),
      recoverCalldata,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    const recovery = body as unknown as DepositQuote
    await until(owner, declined!, { reviewStatus: 'needsReview', statusReason: 'deposit_declined' })
    expect(await owner.submit(recovery)).toMatchObject({ status: 200 })
    await mined(recovery, 'confirmed')
    await waitUntilIndexed(service, payer)
    const recovered = await itemOf(owner, declined!)
    expect(recovered).toMatchObject({
      reviewStatus: 'needsReview',
      statusReason: 'recovered',
      canConvert: true,
      primaryAsset: { poolDeposit: { commitmentId: String(made.label), status: 'recovered' } },
      provenanceSources: [{ id: `receive:${declined}`, kind: 'receive', address: declined }],
      trustedReceiveActionCount: 2,
      trustedReceiveActionTypes: ['POOL_RECOVER', 'RECEIVE'],
    })
    expect(recovered!.assets[0]!['poolDeposit']).not.toMatchObject({ txHash: made.txHash })
  })

  /** Fails a deposit: a stranger saw the precommitment in the queue of transactions and deposits under it first. */
  async function failByForestalling(
    owner: Depositor,
    address: Address,
    convert: () => Promise<{ quote: DepositQuote }>,
  ): Promise<void> {
    const { payer, service } = story()
    await node('evm_setAutomine', false)
    const { quote } = await convert()
    await until(owner, address, { reviewStatus: 'inProgress', statusReason: null })
    const price = parseGwei('500')
    await payer.wallet.sender.writeContract({
      address: payer.chain.entrypoint,
      abi: depositAbi,
      functionName: 'deposit',
      args: [BigInt(quote.deposits[0]!.precommitment)],
      value: ONE / 100n,
      gas: 1_000_000n,
      maxFeePerGas: price,
      maxPriorityFeePerGas: price,
    })
    await node('evm_setAutomine', true)
    await node('anvil_mine', '0x1')
    await expect.poll(() => story().statusOf(owner, quote.quoteId), { timeout: 60_000 }).toBe('failed')
    await waitUntilIndexed(service, payer)
  }

  it('the review says why an asset cannot be converted, and a quote agrees', async () => {
    const { payer, service } = story()
    const owner = await story().openDepositor()
    const [rich] = await owner.receiveAll(zeroAddress, [ONE])
    const asked = { maxSend: true, singleAddress: rich, precommitments: precommitmentsFrom(0) }
    const quote = await owner.demand(asked)
    expect((await itemOf(owner, rich!))?.assets[0]).toMatchObject({
      available: '0',
      pending: String(ONE),
      canConvert: false,
      convertUnavailableReason: 'locked',
    })
    await owner.post('/unlock', { quoteId: quote.quoteId })
    expect((await itemOf(owner, rich!))?.canConvert).toBe(true)

    await payer.payToken(story().token.asset, rich!, 10n ** 9n)
    await waitUntilIndexed(service, payer)
    expect(await itemOf(owner, rich!)).toMatchObject({
      assetCount: 2,
      trustedReceiveActionCount: 2,
      assets: [{ trustedReceiveActionCount: 1 }, { trustedReceiveActionCount: 1 }],
    })
    for (const { pool, token } of [
      { pool: story().native, token: zeroAddress },
      { pool: story().token, token: story().token.asset },
    ]) {
      const [much] = token === zeroAddress ? [rich!] : await owner.receiveAll(token, [10n ** 9n])
      const dear = await owner.demand({ ...asked, token, singleAddress: much })
      await owner.post('/unlock', { quoteId: dear.quoteId })
      const network = BigInt(dear.fees.network)
      const least = BigInt(String((await itemOf(owner, much!))?.assets[0]?.['poolMinDeposit']))
      const [few, fees, enough] = await owner.receiveAll(token, [
        least - 1n,
        least + (network * 8n) / 10n,
        least + (network * 13n) / 10n,
      ])
      for (const [address, reason] of [
        [few!, 'below_minimum'],
        [fees!, 'fees_exceed_amount'],
        [enough!, null],
      ] as const) {
        expect((await itemOf(owner, address))?.assets[0], `${pool.symbol} ${reason}`).toMatchObject({
          canConvert: reason === null,
          convertUnavailableReason: reason,
        })
        const { status, body } = await owner.ask({ ...asked, token, singleAddress: address })
        expect(status, JSON.stringify(body)).toBe(reason === null ? 200 : 400)
        if (reason === null) await owner.post('/unlock', { quoteId: body.quoteId })
      }
    }
  })
}
