import {
  erc20Abi,
  numberToHex,
  parseEther,
  parseAbi,
  parseEventLogs,
  parseUnits,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { insertConversions } from '../../../../../db/pool/notes/pool-conversions.ts'
import { precommitmentOf } from '../../../../../schema/client/pool/note.ts'
import { encodeRagequit, proveRagequit } from '../../../../../schema/client/pool/encode-ragequit.ts'
import { commitmentInput } from '../../../../../schema/client/pool/withdraw-input.ts'
import { verifyQuote } from '../../../../../schema/client/quotes/verify-quote.ts'
import { endSubmittedQuotes } from '../../../../../db/transact/intents-end.ts'
import { sql } from '../../../../../db/connect-database.ts'
import type { Chains } from '../../../../../relayer/chain/nodes/chain.ts'
import type { KindParts } from '../../../../../relayer/transact/kinds/quote-kind.ts'
import { kindOf } from '../../../../../relayer/transact/kinds/quote-kinds.ts'
import { NATIVE_ASSET } from '../../../../../relayer/chain/nodes/config.ts'
import { FIELD_ORDER } from '../../../../../proving/field-element.ts'
import { deriveAccounts } from '../../../../devnet/accounts.ts'
import { connectWallet } from '../../../../devnet/wallet/connect-wallet.ts'
import { poolEventsAbi } from '../../../../devnet/pool-events.ts'
import { startProver, type Prover } from '../../../../devnet/wallet/prover.ts'
import { quote as quoteShape } from '../../../../../schema/transact/quote-model.ts'
import { startService } from '../../../../../gateway/compose.ts'
import { createLogger } from '../../../../../gateway/logging.ts'
import { signUnchecked } from '../../../../harness/sign-unchecked.ts'
import { call } from '../../../../harness/call.ts'
import { expectAnswerKept } from '../../../../harness/expect-answer-kept.ts'
import { SHARED_THREADS } from '../../../../harness/share-threads.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { submitPlainly } from '../../submissions/submit-plainly.ts'
import { openDepositor, tiersOf, tokenOf, untilConfirmed, type Depositor } from './open-depositor.ts'

let service: TestService
let payer: Payer
let prover: Prover
let owner: Depositor
let dollar: Address

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens.find(({ symbol }) => symbol === 'TUSD')!.address
  prover = startProver()
  owner = await openDepositor(service, payer)
})
afterAll(async () => {
  await prover?.close()
  await service?.stop()
})

const balanceOf = (token: Address, address: Address) =>
  token === zeroAddress
    ? payer.wallet.reader.getBalance({ address })
    : payer.wallet.reader.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      })

it.each([
  ['coins', () => NATIVE_ASSET, parseEther('0.5')],
  ['tokens', () => dollar, parseUnits('80', 6)],
] as const)('a deposit of %s comes back to its depositor, less the gas', async (_, assetOf, gross) => {
  const asset = assetOf()
  const token = tokenOf(asset)
  const { note, address, pool } = await owner.deposit(asset, gross)
  const recoverCalldata = await proveRagequit(prover, note)
  const { status, body: quote } = await owner.prepare({
    commitmentId: String(note.label),
    recoverCalldata,
  })
  expect(status, JSON.stringify(quote)).toBe(200)
  quoteShape.strict().parse(quote)
  const key = (await (await fetch(`${service.url}/v1/.well-known/quote-signer-public-key`)).json()) as never
  expect(await verifyQuote(quote as never, key)).toBe(true)
  expect(quote).toMatchObject({
    kind: 'recover',
    poolAddress: pool,
    commitmentId: String(note.label),
    outputToken: token,
    outputRecipient: address,
    outputRecipientOwned: true,
    amountIn: String(note.value),
    expectedOutput: String(note.value - BigInt(quote.fees.total)),
    fees: { service: '0' },
    intents: [{ eoa: address }],
    delegations: [{ address }],
  })
  expect(BigInt(quote.fees.network)).toBeGreaterThan(0n)

  const again = await owner.prepare({ commitmentId: String(note.label), recoverCalldata })
  expect(again).toMatchObject({
    status: 400,
    body: { code: 'RECOVERY_UNDER_WAY', quoteId: quote.quoteId },
  })
  // A refresh takes the old quote's place.
  const { body: fresh } = await owner.refresh(quote.quoteId)
  expect(fresh, JSON.stringify(fresh)).toMatchObject({ kind: 'recover', outputRecipient: address })

  const before = await balanceOf(token, address)
  expect(await owner.submit(fresh)).toMatchObject({ status: 200 })
  await untilConfirmed(owner, fresh.quoteId)
  const back = (await balanceOf(token, address)) - before
  expect(back).toBe(note.value - BigInt(fresh.fees.total))
  await waitUntilIndexed(service, payer)
  expect(await tiersOf(owner, token)).toMatchObject({
    visible: { available: String(await balanceOf(token, address)), pending: '0' },
    incognito: { pooled: { pendingApproval: '0', declined: '0', available: '0' } },
  })
  const twice = await owner.prepare({ commitmentId: String(note.label), recoverCalldata })
  expect(twice).toMatchObject({ status: 400, body: { code: 'ALREADY_RECOVERED' } })
})

it("the service accepts only the proof of a deposit's remaining note", async () => {
  // Each account may prepare thirty recoveries a minute.
  const forger = await openDepositor(service, payer)
  const { note } = await forger.deposit(NATIVE_ASSET, parseEther('0.2'))
  const other = await forger.deposit(NATIVE_ASSET, parseEther('0.2'))
  const proven = await prover.prove('commitment', commitmentInput(note))
  const right = encodeRagequit(proven)
  const commitmentId = String(note.label)
  const refused = async (recoverCalldata: Hex, body: object = { commitmentId }) => {
    const { status, body: answer } = await forger.prepare({ ...body, recoverCalldata })
    return `${status} ${answer.code ?? answer.error}`
  }
  for (const wrong of [
    '0x' as Hex,
    right.slice(0, -2) as Hex,
    `${right}00` as Hex,
    `0x12345678${right.slice(10)}` as Hex,
  ])
    expect(await refused(wrong), wrong.slice(0, 12)).toBe('400 RECOVER_CALLDATA_INVALID')
  const withSignal = (place: number, value: bigint) =>
    encodeRagequit({
      ...proven,
      publicSignals: proven.publicSignals.with(place, String(value)),
    })
  // Another leaf of the pool, more than was deposited, nothing, and a commitment that is no leaf.
  expect(await refused(withSignal(0, 5n))).toBe('400 RECOVER_MISMATCH')
  expect(await refused(withSignal(2, note.value - 1n))).toBe('400 RECOVER_MISMATCH')
  expect(await refused(withSignal(2, note.value + 1n))).toBe('400 RECOVER_MISMATCH')
  expect(await refused(withSignal(3, other.note.label))).toBe('400 RECOVER_MISMATCH')
  expect(await refused(right, { commitmentId: String(other.note.label) })).toBe('400 RECOVER_MISMATCH')
  expect(await refused(withSignal(1, 7n))).toBe('400 INVALID_PROOF')
  expect(await refused(withSignal(1, FIELD_ORDER + BigInt(proven.publicSignals[1]!)))).toBe(
    '400 INVALID_PROOF',
  )
  const swapped = { ...proven.proof, pi_a: proven.proof.pi_c, pi_c: proven.proof.pi_a }
  expect(await refused(encodeRagequit({ ...proven, proof: swapped }))).toBe('400 INVALID_PROOF')
  expect(await refused(right, {})).toMatch(/^400 /)
  expect(await refused(right, { commitmentId: `${crypto.randomUUID()}-0` })).toMatch(/^404 /)
  expect(await refused(right, { quoteId: crypto.randomUUID() })).toMatch(/^404 /)

  const stranger = await openDepositor(service, payer)
  const foreign = await stranger.prepare({ commitmentId, recoverCalldata: right })
  expect(foreign.status).toBe(404)
  // None of that took the note.
  const { status, body } = await forger.prepare({ commitmentId, recoverCalldata: right })
  expect(status, JSON.stringify(body)).toBe(200)
  expect((await forger.post('/unlock', { quoteId: body.quoteId })).status).toBe(200)
  const ended = await service.database.pool.oneFirst(sql.type(z.object({ ended: z.boolean() }))`
    select ended_at is not null as ended from pool_recovery where quote_id = ${body.quoteId}::uuid`)
  expect(ended).toBe(true)
})

it('of many requests at once one gets a quote', async () => {
  const { note } = await owner.deposit(NATIVE_ASSET, parseEther('0.2'))
  const body = { commitmentId: String(note.label), recoverCalldata: await proveRagequit(prover, note) }
  const answers = await Promise.all(Array.from({ length: 6 }, () => owner.prepare(body)))
  const codes = answers.map((answer) => String(answer.body.code ?? answer.status))
  expect(codes.toSorted((one, other) => one.localeCompare(other))).toEqual([
    '200',
    ...Array<string>(5).fill('RECOVERY_UNDER_WAY'),
  ])
})

it('the database stores a recovery together with the answer to its Idempotency-Key, or not at all', async () => {
  const { note } = await owner.deposit(NATIVE_ASSET, parseEther('0.2'))
  const body = { commitmentId: String(note.label), recoverCalldata: await proveRagequit(prover, note) }
  await expectAnswerKept(service, owner.client, '/pool-recover/prepare', body)
  expect((await owner.prepare(body)).body.code).toBe('RECOVERY_UNDER_WAY')
})

it('one of two instances gives a deposit a quote, and neither does so for a screened depositor', async () => {
  const { note, address } = await owner.deposit(NATIVE_ASSET, parseEther('0.2'))
  const recoverCalldata = await proveRagequit(prover, note)
  const { accountId } = owner.client
  const prepare = ({ services }: Pick<TestService, 'services'>) =>
    services.quotes.create(accountId, {
      kind: 'pool_recover',
      of: { commitmentId: String(note.label) },
      recoverCalldata,
      acknowledgedPublicLink: false,
    })
  const startAnother = (screening: object) =>
    startService({
      config: {
        ...service.config,
        chains: [...service.parts.chains],
        screening: { ...service.config.screening, ...screening },
        port: 0,
      },
      logger: createLogger({ level: 'silent' }),
      ...SHARED_THREADS,
    })
  const [other, strict] = await Promise.all([
    startAnother({}),
    startAnother({ mode: 'list', addresses: [address] }),
  ])
  try {
    await expect(prepare(strict)).rejects.toMatchObject({ kind: 'legal', code: 'ADDRESS_NOT_SERVED' })
    const answers = await Promise.allSettled([service, other, service, other].map(prepare))
    const [made, ...more] = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(more).toEqual([])
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'RECOVERY_UNDER_WAY' })
    // A depositor listed after the quote cannot submit it, and the refresh says why.
    const submitted = await call(`${strict.url}/v1/accounts/${accountId}/submit`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.client.token}` },
      body: await signUnchecked(owner.client, { ...made!.terms } as never),
    })
    expect(submitted).toMatchObject({ status: 400, json: { code: 'QUOTE_REFRESH_REQUIRED' } })
    await expect(strict.services.quotes.refresh(accountId, made!.quoteId)).rejects.toMatchObject({
      kind: 'legal',
    })
  } finally {
    await Promise.all([other.stop(), strict.stop()])
  }
})

it('a ragequit outside the service ends the deposit for it too, until a reorg takes it back', async () => {
  const { note, address, pool } = await owner.deposit(NATIVE_ASSET, parseEther('0.2'))
  const recoverCalldata = await proveRagequit(prover, note)
  await payer.wallet.reader.request({ method: 'anvil_impersonateAccount', params: [address] } as never)
  const hash = await payer.wallet.reader.request<{ Method: 'eth_sendTransaction'; ReturnType: Hex }>({
    method: 'eth_sendTransaction',
    params: [{ from: address, to: pool, data: recoverCalldata, gas: '0x100000' }],
  } as never)
  const receipt = await payer.wallet.reader.waitForTransactionReceipt({ hash })
  expect(parseEventLogs({ abi: poolEventsAbi, eventName: 'Ragequit', logs: receipt.logs })).toHaveLength(1)
  const answer = await owner.prepare({ commitmentId: String(note.label), recoverCalldata })
  expect(['NOTE_SPENT', 'ALREADY_RECOVERED']).toContain(answer.body.code)

  // Its block is gone again, and the transaction with it.
  await waitUntilIndexed(service, payer)
  await payer.wallet.reader.request({ method: 'anvil_reorg', params: [1, []] } as never)
  await payer.wallet.reader.request({ method: 'anvil_dropAllTransactions', params: [] } as never)
  await payer.wallet.reader.request({ method: 'anvil_mine', params: ['0x1'] } as never)
  await waitUntilIndexed(service, payer)
  const { status, body } = await owner.prepare({ commitmentId: String(note.label), recoverCalldata })
  expect(status, JSON.stringify(body)).toBe(200)
})

it('a recovery that failed says nothing of the note any more, and the deposit can be taken back again', async () => {
  const { note } = await owner.deposit(NATIVE_ASSET, parseEther('0.2'))
  const request = { commitmentId: String(note.label), recoverCalldata: await proveRagequit(prover, note) }
  const { body: quote } = await owner.prepare(request)
  const { pool: database } = service.database
  await database.transaction(async (transaction) => {
    await submitPlainly(transaction, {
      accountId: owner.client.accountId,
      quoteId: quote.quoteId,
      isBare: true,
    })
    await endSubmittedQuotes(transaction, [
      {
        quoteId: quote.quoteId,
        state: 'failed',
        failure: { code: 'NOT_EXECUTED', text: 'intents[0]: burnt' },
      },
    ])
  })
  const kept = await database.one(sql.type(
    z.object({ terms: z.string(), asked: z.string(), status: z.string() }),
  )`
    select terms::text, asked::text, status from quote where id = ${quote.quoteId}::uuid`)
  expect(kept).toEqual({ terms: '{}', asked: '{}', status: 'failed' })
  expect((await owner.prepare(request)).status).toBe(200)
})

it('a quote that deposited names its deposits, and no others', async () => {
  const [one, other] = [
    await owner.deposit(NATIVE_ASSET, parseEther('0.2')),
    await owner.deposit(NATIVE_ASSET, parseEther('0.2')),
  ]
  const recoverCalldata = await proveRagequit(prover, one.note)
  const { quoteId } = (await owner.prepare({ commitmentId: String(one.note.label), recoverCalldata })).body
  expect((await owner.post('/unlock', { quoteId })).status).toBe(200)
  // As the quote of a conversion writes it.
  const of = {
    quoteId,
    accountId: owner.client.accountId,
    pool: { chainId: payer.chain.chainId, address: one.pool },
  }
  const { value } = one.note
  await insertConversions(service.database.pool, of, [
    {
      place: 0,
      address: one.address,
      depositIndex: 0,
      precommitment: precommitmentOf(one.note),
      gross: value,
      net: value,
      depositFee: 0n,
    },
  ])
  const wrong = await owner.prepare({ quoteId, recoverCalldata: await proveRagequit(prover, other.note) })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'RECOVER_MISMATCH' } })
  const { status, body } = await owner.prepare({ quoteId, recoverCalldata })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ commitmentId: String(one.note.label), outputRecipient: one.address })
  const stranger = await openDepositor(service, payer)
  expect((await stranger.prepare({ quoteId, recoverCalldata })).status).toBe(404)
})

it('a deposit in a pool behind a feature is hidden from accounts without it', async () => {
  const { note } = await owner.deposit(NATIVE_ASSET, parseEther('0.2'))
  const { pool: database } = service.database
  const [config] = service.parts.chains
  const chain = {
    config: {
      ...config,
      relayer: {
        ...config!.relayer,
        assets: config!.relayer!.assets.map((asset) => ({ ...asset, feature: 'beta' })),
      },
    },
  }
  const chains = new Map([[payer.chain.chainId, chain]]) as unknown as Chains
  const recoverCalldata = await proveRagequit(prover, note)
  const find = async () =>
    kindOf('pool_recover').chainOf(
      { database, chains } as Partial<KindParts> as KindParts,
      owner.client.accountId,
      {
        kind: 'pool_recover',
        of: { commitmentId: String(note.label) },
        recoverCalldata,
        acknowledgedPublicLink: false,
      },
    )
  await expect(find()).rejects.toMatchObject({ kind: 'not-found' })
  await database.query(sql.typeAlias('void')`
    insert into account_feature (account_id, feature) values (${owner.client.accountId}::uuid, 'beta')`)
  expect(await find()).toBe(payer.chain.chainId)
})

it('a note that is worth less than its gas stays where it is', async () => {
  const { note } = await owner.deposit(NATIVE_ASSET, parseEther('0.01'))
  const recoverCalldata = await proveRagequit(prover, note)
  // 400,000 gas for the price of a note.
  await payer.wallet.reader.request({
    method: 'anvil_setNextBlockBaseFeePerGas',
    params: [numberToHex(parseEther('0.01') / 200_000n)],
  } as never)
  await payer.payNative(payer.wallet.account.address, 1n)
  await waitUntilIndexed(service, payer)
  const answer = await owner.prepare({ commitmentId: String(note.label), recoverCalldata })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 400,
    body: { code: 'FEES_EXCEED_VALUE' },
  })
})

it('the service offers only recoveries of a pool that its owner removed', async () => {
  const { note, address } = await owner.deposit(dollar, parseUnits('80', 6))
  const { sender, reader } = connectWallet(payer.chain, deriveAccounts().deployer.privateKey)
  const removed = await sender.writeContract({
    address: payer.chain.entrypoint,
    abi: parseAbi(['function removePool(address)']),
    functionName: 'removePool',
    args: [dollar],
  })
  await reader.waitForTransactionReceipt({ hash: removed })
  const codeOf = async (asked: Promise<{ body: Record<string, unknown> }>) => (await asked).body['code']
  const { chainId } = payer.chain
  const of = `?chainId=${chainId}&token=${dollar}`
  await expect.poll(() => codeOf(owner.get(`/pool/commitments${of}`))).toBe('POOL_NOT_FOUND')
  expect(await codeOf(owner.get(`/pool/state${of}`))).toBe('POOL_NOT_FOUND')
  const wanted = { type: 'pool_deposit', chainId, token: dollar, amount: '20000000' }
  expect(await codeOf(owner.post('/quote', wanted))).toBe('POOL_NOT_FOUND')
  expect((await tiersOf(owner, dollar))?.incognito.pooled).toMatchObject({
    pendingApproval: String(note.value),
  })

  const recoverCalldata = await proveRagequit(prover, note)
  const { status, body: quote } = await owner.prepare({ commitmentId: String(note.label), recoverCalldata })
  expect(status, JSON.stringify(quote)).toBe(200)
  expect(await owner.submit(quote)).toMatchObject({ status: 200 })
  await untilConfirmed(owner, quote.quoteId)
  expect(await balanceOf(dollar, address)).toBe(note.value - BigInt(quote.fees.total))
})
