import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { UniqueIntegrityConstraintViolationError } from 'slonik'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { loadEcdsa } from '../../../../proving/signing/ecdsa.ts'
import { SendingChains } from '../../../../relayer/transact/intents/sending-chain.ts'
import { checkSignatures, matchTerms } from '../../../../relayer/transact/submissions/check-signatures.ts'
import { hashDelegation } from '../../../../relayer/transact/intents/delegation.ts'
import type { Intent } from '../../../../relayer/transact/intents/intent.ts'
import type { Submission } from '../../../../relayer/transact/transact.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningSubmissions } from './start-submissions.ts'
import { startOpStackDoor } from '../../../harness/start-op-stack-door.ts'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './start-submission-world.ts'
import { bookBatchGas } from '../../../../relayer/transact/submissions/settle-batch.ts'
import { typeIntent } from '../../../../relayer/transact/intents/intent-wire.ts'

let world: SubmissionWorld
let service: RunningSubmissions
beforeAll(async () => {
  world = await startSubmissionWorld()
  service = await world.start()
})
afterAll(() => world.stop())

describe('a valid submission', () => {
  it('is sent and confirmed, releases its reservations, and gets the same answer again', async () => {
    const quote = await world.quote(await world.openSender(3))
    const answer = await service.submit(quote.accountId, quote.submission)
    expect(answer).toMatchObject({ quoteId: quote.quoteId, status: 'submitted' })
    await world.settled()
    const again = await service.submit(quote.accountId, quote.submission)
    expect(again).toEqual(answer)
    expect(await service.relayStatus(quote.accountId, quote.quoteId)).toMatchObject({
      status: 'confirmed',
      txHash: answer.txHash,
      confirmedTxHash: answer.txHash,
      error: null,
    })
    await world.expectTrueLedger()
  })

  it('is booked once, and so is the cost of its batch', async () => {
    const quote = await world.quote(await world.openSender())
    await service.submit(quote.accountId, quote.submission)
    await world.settled()
    const id = await world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select batch_id as id from intent_batch_share where quote_id = ${quote.quoteId}`)
    const again = world.pool.transaction((transaction) =>
      bookBatchGas(transaction, { id, chainId: world.chainId, hash: '0x', fee: 1n }),
    )
    await expect(again).rejects.toThrow(UniqueIntegrityConstraintViolationError)
    await world.expectTrueLedger()
  })

  it('that arrives several times at once is sent once', async () => {
    const quote = await world.quote(await world.openSender())
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.submit(quote.accountId, quote.submission)),
    )
    expect(new Set(answers.map(({ txHash }) => txHash)).size).toBe(1)
    await world.settled()
    await world.expectTrueLedger()
  })
})

describe('a submission is refused without sending anything for', () => {
  const refused = async (quote: TestQuote, submission: Submission, code: string) => {
    await expect(service.submit(quote.accountId, submission)).rejects.toMatchObject({
      kind: 'bad-request',
      code,
    })
    const intents = await world.intentRows()
    expect(intents.filter(({ quoteId }) => quoteId === quote.quoteId)).toEqual([])
  }
  const stillGood = async (quote: TestQuote) => {
    await service.submit(quote.accountId, quote.submission)
    await world.settled()
    await world.expectTrueLedger()
  }

  it('missing, repeated or foreign intents or delegations', async () => {
    const quote = await world.quote(await world.openSender(2))
    const other = await world.quote(await world.openSender())
    const { intents, delegations } = quote.submission
    const wrong: Partial<Submission>[] = [
      { intents: intents.slice(1) },
      { intents: [...intents, intents[0]!] },
      { intents: [intents[0]!, intents[0]!] },
      { intents: [...intents, other.submission.intents[0]!] },
      { intents: [intents[0]!, other.submission.intents[0]!] },
      { delegations: delegations.slice(1) },
      { delegations: [...delegations, delegations[0]!] },
      { delegations: [...delegations, other.submission.delegations[0]!] },
    ]
    for (const change of wrong) await refused(quote, { ...quote.submission, ...change }, 'QUOTE_MISMATCH')
    await stillGood(quote)
  })

  it('signatures of another key, of other fields, in another form', async () => {
    const quote = await world.quote(await world.openSender())
    const [one] = quote.submission.intents
    const [delegated] = quote.submission.delegations
    const thief = privateKeyToAccount(generatePrivateKey())
    const by = async (intent: Intent) => thief.signTypedData(typeIntent(intent, world.domain))
    const more = { ...one!.intent, combinedGas: one!.intent.combinedGas + 1n }
    const highS = `0x${one!.intent.signature.slice(2, 66)}${'f'.repeat(64)}1b` as const
    const signatures = [
      await by(one!.intent),
      await quote.sender.keys[0]!.signTypedData(typeIntent(more, world.domain)),
      await quote.sender.keys[0]!.signTypedData(typeIntent(one!.intent, { ...world.domain, chainId: 5 })),
      highS,
    ]
    for (const signature of signatures) {
      const intents = [{ ...one!, intent: { ...one!.intent, signature } }]
      await refused(quote, { ...quote.submission, intents }, 'INVALID_SIGNATURE')
    }
    const forged = await thief.sign({ hash: hashDelegation(delegated!.delegation) })
    const delegations = [{ ...delegated!, delegation: { ...delegated!.delegation, signature: forged } }]
    await refused(quote, { ...quote.submission, delegations }, 'INVALID_SIGNATURE')
    await stillGood(quote)
  })

  it('a member of an intent or a delegation that is not as quoted', async () => {
    const quote = await world.quote(await world.openSender())
    const { intents, delegations } = quote.submission
    const [one, delegated] = [intents[0]!, delegations[0]!]
    const other = (value: unknown) => {
      if (typeof value === 'bigint') return value + 1n
      if (typeof value === 'boolean') return !value
      return Array.isArray(value) ? ['0x01'] : privateKeyToAccount(generatePrivateKey()).address
    }
    // Another address or nonce names another intent of the quote.
    const { signature: _, eoa: _eoa, intentNonce: _nonce, ...members } = one.intent
    for (const [name, value] of Object.entries(members)) {
      const changed = [{ ...one, intent: { ...one.intent, [name]: other(value) } }]
      await refused(quote, { ...quote.submission, intents: changed }, 'QUOTE_MISMATCH')
    }
    for (const changed of [
      [{ ...delegated, derivationNonce: delegated.derivationNonce + 1n }],
      [{ ...delegated, delegation: { ...delegated.delegation, contractAddress: one.intent.eoa } }],
    ])
      await refused(quote, { ...quote.submission, delegations: changed }, 'QUOTE_MISMATCH')
    await refused(
      quote,
      { ...quote.submission, intents: [{ ...one, derivationNonce: one.derivationNonce + 1n }] },
      'QUOTE_MISMATCH',
    )
    await stillGood(quote)
  })

  it("a quote that is unknown, another account's, unlocked, replaced or expired", async () => {
    const [quote, other] = [
      await world.quote(await world.openSender()),
      await world.quote(await world.openSender(), { expiresInSeconds: -1 }),
    ]
    await expect(service.submit(other.accountId, quote.submission)).rejects.toMatchObject({
      kind: 'not-found',
    })
    await refused(other, other.submission, 'QUOTE_EXPIRED')
    for (const status of ['unlocked', 'replaced', 'expired']) {
      const ended = await world.quote(await world.openSender())
      await world.pool.query(sql.typeAlias('void')`
        update quote set status = ${status}, ended_at = now() where id = ${ended.quoteId}`)
      await world.pool.query(sql.typeAlias('void')`
        update locked_funds set amount = 0 where address = ${ended.sender.keys[0]!.address}`)
      await world.pool.query(sql.typeAlias('void')`
        update reservation set released_at = now() where quote_id = ${ended.quoteId}`)
      await refused(ended, ended.submission, 'QUOTE_EXPIRED')
    }
    await stillGood(quote)
  })

  it('an authorization nonce that the address has used', async () => {
    const quote = await world.quote(await world.openSender(), { authorizationNonce: 3 })
    await refused(quote, quote.submission, 'AUTHORIZATION_NONCE_STALE')
  })

  it('a delegation of one of our own sending addresses', async () => {
    const { submission, wire, sender } = await world.quote(await world.openSender())
    const matched = matchTerms(wire, submission)
    const parts = {
      sendingChains: new SendingChains(new Map([[world.chainId, world.chain]]), () => undefined),
      ecdsa: await loadEcdsa(),
    }
    const signers = new Set([sender.keys[0]!.address])
    await expect(checkSignatures({ ...parts, signers }, matched)).rejects.toMatchObject({
      code: 'QUOTE_MISMATCH',
    })
    await checkSignatures({ ...parts, signers: new Set(world.signers) }, matched)
  })

  it('a fee in a token that lost its price since, or is listed no more', async () => {
    const quote = await world.quote(await world.openSender())
    const refusal = { code: 'QUOTE_REFRESH_REQUIRED', message: expect.stringContaining('in this token now') }
    for (const changes of [{ worth: { [world.nativeToken]: '3000' } }, { isListed: false }]) {
      const changed = await world.start(changes)
      await expect(changed.submit(quote.accountId, quote.submission)).rejects.toMatchObject(refusal)
    }
    await stillGood(quote)
  })

  it('gas that is now worth more than the signed fee, in any token', async () => {
    const quote = await world.quote(await world.openSender())
    const coin = world.nativeToken
    // The fee is 8 millionths of a token; a transfer takes some 150,000 gas at 1 gwei or more, 1.5e14 wei.
    const cheap = await world.start({ worth: { [coin]: '3000', [world.token]: '100000000' } })
    const dear = await world.start({ worth: { [coin]: '3000', [world.token]: '1' } })
    await expect(dear.submit(quote.accountId, quote.submission)).rejects.toMatchObject({
      code: 'QUOTE_REFRESH_REQUIRED',
    })
    await cheap.submit(quote.accountId, quote.submission)
    await world.settled()
    await world.expectTrueLedger()
  })

  it('a recipient or sender that is now sanctioned', async () => {
    const quote = await world.quote(await world.openSender(2))
    for (const listed of [quote.recipient, quote.sender.keys[1]!.address]) {
      const strict = await world.start({ listed: [listed] })
      await expect(strict.submit(quote.accountId, quote.submission)).rejects.toMatchObject({
        kind: 'bad-request',
        code: 'QUOTE_REFRESH_REQUIRED',
      })
      await strict.stop()
    }
    await stillGood(quote)
  })

  it('funds that are gone', async () => {
    const sender = await world.openSender()
    // The transaction that takes the tokens uses a nonce.
    const quote = await world.quote(sender, { authorizationNonce: 1 })
    await world.takeAway(sender.keys[0]!.address)
    await refused(quote, quote.submission, 'SIMULATION_FAILED')
    await expect(service.submit(quote.accountId, quote.submission)).rejects.toThrow(
      'intents[0] would fail: ERC20InsufficientBalance',
    )
  })
})

it('an address that has delegated before needs no delegation', async () => {
  const sender = await world.openSender()
  await service.submit(sender.accountId, (await world.quote(sender)).submission)
  await world.settled()
  await world.refill(sender)
  const again = await world.quote(sender, { delegate: false })
  await service.submit(sender.accountId, again.submission)
  await world.settled()
  await world.refill(sender)
  // A submission may leave out a delegation that its quote asks for if it stands already.
  const late = await world.quote(sender)
  await service.submit(sender.accountId, { ...late.submission, delegations: [] })
  await world.settled()
  await world.expectTrueLedger()
})

it('followers see each step and the end', async () => {
  const quote = await world.quote(await world.openSender())
  const told: string[] = []
  const following = (async () => {
    for await (const { status } of service.follow(
      quote.accountId,
      quote.quoteId,
      AbortSignal.timeout(150_000),
    ))
      told.push(status)
  })()
  await service.submit(quote.accountId, quote.submission)
  await following
  expect(told[0]).toBe('locked')
  expect(told.at(-1)).toBe('confirmed')
  expect(await service.relayStatus(quote.accountId, 'nonsense')).toBeNull()
})

it('signed data and the name of the network are erased after the end', async () => {
  const forgetful = await world.start({ config: { retainMs: 0 } })
  const quote = await world.quote(await world.openSender())
  await forgetful.submit(quote.accountId, quote.submission, 'a network')
  await world.settled()
  const kept = () => world.countKept(quote.quoteId)
  await world.until(kept, (count) => count === 0n)
})

it('a reorg before finality leaves the funds locked, and the payment is made once', async () => {
  await world.stopServices()
  const careful = await world.start({ chain: { confirmations: 2 } })
  const quote = await world.quote(await world.openSender())
  await world.blocks.hold()
  try {
    const lockState = () =>
      world.pool.one(sql.type(
        z.object({ spent: z.bigint().nullable(), live: z.boolean(), mined: z.bigint() }),
      )`
        select spent_in_block as spent, released_at is null as live,
          (select count(*) from outbound_tx where mined_hash is not null and settled_at is null) as mined
        from reservation where quote_id = ${quote.quoteId}`)
    await careful.submit(quote.accountId, quote.submission)
    await world.blocks.mine()
    expect(await world.until(lockState, ({ mined }) => mined === 1n)).toMatchObject({
      spent: null,
      live: true,
    })
    // Another block without the payment replaces it, before the payment can be sent again.
    await world.ask('anvil_reorg', 1, [])
    expect(await world.until(lockState, ({ mined }) => mined === 0n)).toMatchObject({
      spent: null,
      live: true,
    })
    world.blocks.keepMining()
    await world.settled()
    expect(await lockState()).toMatchObject({ spent: expect.any(BigInt) })
    await world.blocks.stopMining()
    await world.expectTrueLedger()
  } finally {
    await world.blocks.stopMining()
    await world.blocks.release()
  }
})

it('the L1 fee of an OP-stack chain counts against the signed fee and is booked with the batch', async () => {
  const door = await startOpStackDoor(world.chain.config.rpcUrls[0]!)
  try {
    // The instance that settles a batch books it, so only the one behind the proxy may settle.
    await world.stopServices()
    const chain = { rpcUrls: [door.url], l1Fee: 'op-stack' }
    // Enough for the gas, as the same payments above show, but not for the calldata: 3e14 wei.
    const worth = { [world.nativeToken]: '3000', [world.token]: '112500' }
    const poor = await world.start({ chain, worth })
    const short = await world.quote(await world.openSender())
    await expect(poor.submit(short.accountId, short.submission)).rejects.toMatchObject({
      code: 'QUOTE_REFRESH_REQUIRED',
    })
    await poor.stop()
    const rollup = await world.start({ chain })
    const quote = await world.quote(await world.openSender())
    const { txHash } = await rollup.submit(quote.accountId, quote.submission)
    await world.settled()
    const { gasUsed, effectiveGasPrice } = await world.reader.getTransactionReceipt({ hash: txHash! })
    const booked = await world.pool.oneFirst(sql.type(z.object({ gas: z.bigint() }))`
      select sum(gas_spent) as gas from send_gas
      where batch_id in (select batch_id from intent_batch_share where quote_id = ${quote.quoteId})`)
    expect(booked).toBe(gasUsed * effectiveGasPrice + door.l1Fee)
    await rollup.stop()
  } finally {
    await door.close()
  }
})
