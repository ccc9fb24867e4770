import { erc20Abi, parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedBy, scanAsPublished } from '../harness/scan-as-published.ts'
import { askConversion, convert } from '../../schema/client/pool/convert.ts'
import { settleNotes } from '../../schema/client/pool/settle-notes.ts'
import { spendBlindly } from '../../schema/client/pool/spend-blindly.ts'
import { spendTold } from '../../schema/client/pool/spend-told.ts'
import { waitForNotes } from '../../schema/client/pool/wait-for-notes.ts'
import { listTold, openPoolWorld, somebody, type PoolWorld } from '../e2e/open-pool-world.ts'

let world: PoolWorld
beforeAll(async () => {
  world = await openPoolWorld()
})
afterAll(() => world?.stop())

const ETHER = parseEther('1')

describe('a wallet that knows its two keys', () => {
  it('converts coins, and spends the note in two parts without the service learning which', async () => {
    const { client, view, mnemonic } = await world.openWallet(zeroAddress, 2n * ETHER)
    const { quote } = await convert(client, { view, amount: ETHER, maxFee: ETHER / 10n })
    const [note] = await waitForNotes(client, view, ([first]) => first?.aspStatus === 'approved')
    expect(note).toMatchObject({ value: ETHER, depositIndex: 0, withdrawalIndex: 0, aspStatus: 'approved' })
    expect(BigInt(quote.fees.vetting)).toBeGreaterThan(0n)

    const recipient = somebody()
    const amount = ETHER / 4n
    await spendBlindly(client, { view, amount, recipient, maxFee: amount / 10n, prover: world.prover })
    const got = await world.payer.wallet.reader.getBalance({ address: recipient })
    expect(got > 0n && got < amount).toBe(true)
    const left = await waitForNotes(client, view, ([first]) => first?.withdrawalIndex === 1)
    expect(left).toMatchObject([{ value: ETHER - amount, label: note!.label, isApproved: true }])
    const published = await scanAsPublished(world.payer.chain, view.pool, mnemonic)
    expect(published.map(openedBy)).toEqual(left.map(openedBy))
    // The service still believes in the whole deposit: no client reported the spend.
    const { commitments } = await listTold(client, view)
    expect(commitments).toMatchObject([{ value: String(ETHER), withdrawalIndex: 0, aspStatus: 'approved' }])
    // Later the wallet reports the remainder, and finds its notes from there on.
    expect(await settleNotes(client, view)).toBe(1)
    expect((await listTold(client, view)).commitments).toMatchObject([
      { value: String(ETHER - amount), withdrawalIndex: 1, commitment: null, known: 'settled' },
    ])
    const settled = await waitForNotes(client, view, ([first]) => first?.depositId.endsWith('-1') ?? false)
    expect(settled.map(openedBy)).toEqual(left.map(openedBy))
    expect(await settleNotes(client, view)).toBe(0)
    await spendBlindly(client, {
      view,
      amount: ETHER - amount,
      recipient,
      maxFee: amount / 10n,
      prover: world.prover,
    })
    await waitForNotes(client, view, (notes) => notes.length === 0)
    expect(await settleNotes(client, view)).toBe(1)
    expect((await listTold(client, view)).commitments).toEqual([])
    // A second wallet with the same keys has the same notes; the next deposit gets the next index.
    const next = await askConversion(client, { view, amount: ETHER / 2n })
    expect(next.deposits).toMatchObject([{ depositIndex: 1 }])
  })

  it('pays a recipient and itself, and reports the hashes to the service, not the recipient', async () => {
    const units = (amount: string) => parseUnits(amount, 6)
    const { client, view, mnemonic } = await world.openWallet(world.dollar, units('500'))
    await convert(client, { view, amount: units('400'), maxFee: units('40') })
    await waitForNotes(client, view, ([first]) => first?.aspStatus === 'approved')
    const told = { view, amount: units('150'), maxFee: units('15'), prover: world.prover, spacingMs: 0 }
    const recipient = somebody()
    const { quote } = await spendTold(client, { ...told, recipient })
    const balanceOf = (owner: Address) =>
      world.payer.wallet.reader.readContract({
        address: world.dollar,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [owner],
      })
    expect(await balanceOf(recipient)).toBeGreaterThanOrEqual(told.amount - told.amount / 1_000n)
    expect(JSON.stringify(quote)).not.toContain(recipient)

    const { quote: own } = await spendTold(client, { ...told, recipient: null })
    const [withdrawal] = own.withdrawals
    expect(withdrawal).toMatchObject({ withdrawalIndex: 1, depositIndex: 0 })
    expect(client.controlOf(withdrawal!.derivationNonce!).address).toBe(withdrawal!.recipient)
    expect(await balanceOf(withdrawal!.recipient!)).toBeGreaterThan(0n)
    const [left] = await waitForNotes(client, view, ([first]) => first?.withdrawalIndex === 2)
    const { commitments } = await listTold(client, view)
    expect(commitments).toMatchObject([
      { value: String(left!.value), withdrawalIndex: 2, aspStatus: 'approved' },
    ])

    // The chain shows the payment to the account itself; the other is shown because the wallet reported it.
    const { activity } = await client.ask<{ activity: { kind: string; quoteId?: string }[] }>(
      'GET',
      `/v1/accounts/${client.accountId}/activities`,
    )
    const shown = activity.filter(({ kind }) => kind.startsWith('INCOGNITO'))
    expect(shown.map(({ kind, quoteId }) => [kind, quoteId])).toEqual([
      ['INCOGNITO_SELF_SEND', undefined],
      ['INCOGNITO_SEND', quote.quoteId],
    ])

    // Exactly the notes that published software finds on the chain, behind two changes in a row.
    const published = await scanAsPublished(world.payer.chain, view.pool, mnemonic)
    expect(published.map(({ hash, label, value }) => [hash, label, value].map(String))).toEqual(
      commitments.map(({ commitment, label, value }) => [commitment, label, value]),
    )
  })
})
