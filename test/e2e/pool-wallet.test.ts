import { erc20Abi, parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reviewAnew } from '../harness/review-anew.ts'
import { createQuoteForger } from '../harness/create-quote-forger.ts'
import { openedBy, scanAsPublished } from '../harness/scan-as-published.ts'
import { tellAspToDecline } from '../harness/tell-asp.ts'
import { checkConversion } from '../../schema/client/pool/check-conversion.ts'
import { decodeCalls } from '../../schema/client/chain/decode-call.ts'
import type { Client } from '../../schema/client/account/open-client.ts'
import { askConversion, convert, type ConversionQuote } from '../../schema/client/pool/convert.ts'
import { recover } from '../../schema/client/pool/recover.ts'
import { settleNotes } from '../../schema/client/pool/settle-notes.ts'
import { spendBlindly } from '../../schema/client/pool/spend-blindly.ts'
import { askSpend, checkSpend, spendTold } from '../../schema/client/pool/spend-told.ts'
import { waitForNotes } from '../../schema/client/pool/wait-for-notes.ts'
import { submitUnchecked } from '../harness/sign-unchecked.ts'
import { encodeCalls } from '../../relayer/transact/intents/intent.ts'
import { deposit } from './examples/recipes/deposit.ts'
import { openPool } from './examples/recipes/open-pool.ts'
import { withdrawPrivately } from './examples/recipes/withdraw-privately.ts'
import { listTold, openPoolWorld, somebody, type PoolWorld } from './open-pool-world.ts'

let world: PoolWorld
beforeAll(async () => {
  world = await openPoolWorld()
})
afterAll(() => world?.stop())

const ETHER = parseEther('1')

/** Each proof costs six seconds of a core: two spends of one note, one after the other, are in test/deep. */
describe('a wallet that knows its two keys', () => {
  it('converts coins, and spends from the note without the service learning which', async () => {
    const { client, mnemonic } = await world.openWallet(zeroAddress, 2n * ETHER)
    const { chainId, entrypoint, rpcUrl } = world.payer.chain
    const view = await openPool(client, chainId, entrypoint, rpcUrl)
    const { fees, notes } = await deposit(client, view, ETHER)
    const [note] = notes
    expect(note).toMatchObject({ value: ETHER, depositIndex: 0, withdrawalIndex: 0, isApproved: true })
    expect(BigInt(fees.vetting)).toBeGreaterThan(0n)

    const recipient = somebody()
    const amount = ETHER / 4n
    const withdrawn = withdrawPrivately(
      client,
      { view, amount, recipient, prover: world.prover },
      async (fee) => fee > 0n,
    )
    expect(await withdrawn).toMatch(/^0x[0-9a-f]{64}$/)
    const got = await world.payer.wallet.reader.getBalance({ address: recipient })
    expect(got > 0n && got < amount).toBe(true)
    const left = await waitForNotes(client, view, ([first]) => first?.withdrawalIndex === 1)
    expect(left).toMatchObject([{ value: ETHER - amount, label: note!.label, isApproved: true }])
    const published = await scanAsPublished(world.payer.chain, view.pool, mnemonic)
    expect(published.map(openedBy)).toEqual(left.map(openedBy))
    // The chain has the approval earlier than the service's record of it.
    await waitForNotes(client, view, ([first]) => first?.aspStatus === 'approved')
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
    // A second wallet with the same keys has the same notes; the next deposit gets the next index.
    const next = await askConversion(client, { view, amount: ETHER / 2n })
    expect(next.deposits).toMatchObject([{ depositIndex: 1 }])
  })

  it('pays a recipient, and reports the hashes to the service, not the recipient', async () => {
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

    const [left] = await waitForNotes(client, view, ([first]) => first?.withdrawalIndex === 1)
    const { commitments } = await listTold(client, view)
    expect(commitments).toMatchObject([
      { value: String(left!.value), withdrawalIndex: 1, aspStatus: 'approved' },
    ])

    // Shown because the wallet reported it.
    const { activity } = await client.ask<{ activity: { kind: string; quoteId?: string }[] }>(
      'GET',
      `/v1/accounts/${client.accountId}/activities`,
    )
    const shown = activity.filter(({ kind }) => kind.startsWith('INCOGNITO'))
    expect(shown.map(({ kind, quoteId }) => [kind, quoteId])).toEqual([['INCOGNITO_SEND', quote.quoteId]])

    // Exactly the notes that published software finds on the chain, behind a change.
    const published = await scanAsPublished(world.payer.chain, view.pool, mnemonic)
    expect(published.map(({ hash, label, value }) => [hash, label, value].map(String))).toEqual(
      commitments.map(({ commitment, label, value }) => [commitment, label, value]),
    )

    const asked = { view, amount: units('40'), recipient, maxFee: units('4') }
    const next = await askSpend(client, { ...asked, isOwn: false })
    await expect(checkSpend(client, { ...next, crowd: 1_000 }, asked)).rejects.toThrow(
      'signature of the service',
    )
    const forger = createQuoteForger()
    const trusting = { ...client, ask: (async () => forger.key) as unknown as Client['ask'] }
    const lie = (changes: object, of = asked) =>
      checkSpend(
        trusting,
        forger.sign({ ...next, withdrawals: next.withdrawals.map((one) => ({ ...one, ...changes })) }),
        { ...of, view: { ...view, read: () => view.read() } },
      )
    await lie({})
    const [planned] = next.withdrawals
    await expect(lie({ label: '5' })).rejects.toThrow('the wallet has no note')
    await expect(lie({ withdrawalIndex: 0 })).rejects.toThrow('the wallet has no note')
    await expect(lie({ value: String(BigInt(planned!.value) + 1n) })).rejects.toThrow(
      'the wallet has no note',
    )
    await expect(lie({ withdraws: String(BigInt(planned!.value) + 1n) })).rejects.toThrow(
      'more than its note',
    )
    await expect(lie({ receives: '1' })).rejects.toThrow('another amount')
    await expect(lie({ recipient }, { ...asked, recipient: null as never })).rejects.toThrow(
      'no address of the account',
    )
  })

  it('takes back tokens whose deposit was declined', async () => {
    const amount = parseUnits('100', 6)
    const { client, view, address } = await world.openWallet(world.dollar, 2n * amount)
    const quote = await askConversion(client, { view, amount })
    await checkConversion(client, quote, { view, amount, maxFee: amount })
    await tellAspToDecline(world.service, quote.deposits[0]!.address)
    await submitUnchecked(client, quote)
    const [note] = await waitForNotes(client, view, ([first]) => first?.aspStatus === 'declined')
    expect(note).toMatchObject({ value: amount, isApproved: false })
    await expect(
      spendBlindly(client, { view, amount, recipient: somebody(), maxFee: amount, prover: world.prover }),
    ).rejects.toThrow('no approved note')

    const call = { address: world.dollar, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const
    const before = await world.payer.wallet.reader.readContract(call)
    const { quote: back } = await recover(client, {
      pool: view.pool,
      note: note!,
      maxFee: amount,
      prover: world.prover,
    })
    expect((await world.payer.wallet.reader.readContract(call)) - before).toBe(
      amount - BigInt(back.fees.total),
    )
    expect(await waitForNotes(client, view, (notes) => notes.length === 0)).toEqual([])
  })

  it('signs no conversion that deposits for somebody else, approves more or costs more than it says', async () => {
    const amount = parseUnits('100', 6)
    const { client, view } = await world.openWallet(world.dollar, 2n * amount)
    const asked = { view, amount, maxFee: amount }
    const quote = await askConversion(client, asked)
    await checkConversion(client, quote, asked)
    await expect(checkConversion(client, { ...quote, amountIn: '1' }, asked)).rejects.toThrow(
      'signature of the service',
    )

    const forger = createQuoteForger()
    const trusting = { ...client, ask: (async () => forger.key) as unknown as Client['ask'] }
    const check = (lie: ConversionQuote, of = asked) => checkConversion(trusting, forger.sign(lie), of)
    await check(quote)
    const [deposit] = quote.deposits
    const calls = decodeCalls(quote.intents[0]!.executionData)
    const [approval, made, fee] = calls
    const doing = (changed: readonly (typeof approval)[]) => {
      const executionData = encodeCalls(changed.map((call) => ({ ...call! })))
      return reviewAnew({ ...quote, intents: [{ ...quote.intents[0]!, executionData }] })
    }
    const other = String(BigInt(deposit!.precommitment) + 1n)
    const told = (changes: object) => ({ ...quote, deposits: [{ ...deposit!, ...changes }] })
    const swapHex = (data: string, from: bigint, to: bigint) =>
      data.replace(from.toString(16).padStart(64, '0'), to.toString(16).padStart(64, '0')) as `0x${string}`
    const gross = BigInt(deposit!.grossAmount)
    const lies: [ConversionQuote, string][] = [
      [told({ precommitment: other }), 'made for somebody else'],
      [
        doing([approval, { ...made!, data: swapHex(made!.data, BigInt(deposit!.precommitment), 7n) }, fee]),
        'deposits for somebody else',
      ],
      [doing([approval, { ...made!, data: swapHex(made!.data, gross, gross - 1n) }, fee]), 'another amount'],
      [
        doing([{ ...approval!, data: swapHex(approval!.data, gross, 2n ** 256n - 1n) }, made, fee]),
        'not of exactly',
      ],
      [doing([made, fee]), 'not of exactly'],
      [doing([approval, made]), 'calls something else'],
      [doing([approval, { ...made!, to: somebody() }, fee]), 'calls something else'],
      [doing([approval, fee, made, fee]), 'a call of transfer'],
      [told({ amount: String(amount + 1n) }), 'worth something else'],
      [told({ depositIndex: 1 }), 'made for somebody else'],
      [told({ address: somebody() }), 'no deposit of the quote'],
      [{ ...quote, poolAddress: somebody() }, 'another pool'],
      [{ ...quote, amountIn: String(BigInt(quote.amountIn) + 1n) }, 'cost more'],
      [
        { ...quote, intents: [...quote.intents, ...quote.intents], deposits: [deposit!, deposit!] },
        'two orders to one address',
      ],
    ]
    for (const [lie, words] of lies) await expect(check(lie), words).rejects.toThrow(words)
    await expect(check(quote, { ...asked, amount: amount - 2n })).rejects.toThrow('deposits another amount')
    await expect(
      check(quote, { ...asked, view: { ...view, pool: { ...view.pool, minDeposit: gross + 1n } } }),
    ).rejects.toThrow('no deposit as small')
  })
})
