import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommonQueryMethods } from 'slonik'
import { zeroAddress, type Address, type Hash, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress, type PrivateKeyAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { recordPayments, releaseSpent } from '../../../../db/transact/reservations.ts'
import { sumSends } from '../../../../db/transact/send-ledger.ts'
import { hashDelegation, writeDelegation } from '../../../../relayer/transact/intents/delegation.ts'
import { orchestratorAbi } from '../../../../relayer/transact/intents/intent-abi.ts'
import { writeIntent, typeIntent } from '../../../../relayer/transact/intents/intent-wire.ts'
import type { Call, Intent } from '../../../../relayer/transact/intents/intent.ts'
import type { Submission } from '../../../../relayer/transact/transact.ts'
import { controlBlocks } from '../../../harness/control-blocks.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { shareProvingPool } from '../../../harness/share-proving-pool.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { startIntentWorld } from '../intents/start-intent-world.ts'
import { readWire, type WireSubmission } from './read-wire.ts'
import { startSubmissions, type RunningSubmissions, type SubmissionSettings } from './start-submissions.ts'

/**
 * The holding and spending of every address of a test account: an amount for the recipient, the rest for the service.
 */
const HELD = 100n
const SENT = 90n
const FEE = 10n
/** In the token; this part of an address's fee is for gas. */
const DECIMALS = 6
const NETWORK_FEE = 8n

export interface Sender {
  accountId: string
  /** One key per address. */
  keys: readonly PrivateKeyAccount[]
}

export interface TestQuote {
  quoteId: string
  accountId: string
  sender: Sender
  recipient: Address
  intents: readonly Intent[]
  submission: Submission
  /** The same in wire form. */
  wire: WireSubmission
}

export interface QuoteChanges {
  recipient?: Address
  /** Seconds since 1970. */
  expiry?: bigint
  gasCost?: bigint
  expiresInSeconds?: number
  /** Of all delegations. */
  authorizationNonce?: number
  /** Delegations are left out for accounts that have delegated before. */
  delegate?: boolean
  /** Something else than a send. */
  other?: OtherKind
}

/** A quote of another kind, as its plan would have it. */
export interface OtherKind {
  kind: string
  details: Record<string, unknown>
  combinedGas: bigint
  /** The amount that each address holds and gives, fees included. */
  held: bigint
  /** The calls bring it: nothing of it is held before, or locked. */
  brings?: true
  /** The calls of one address; the call that pays the fee follows. */
  calls(address: Address, place: number): readonly Call[]
  /** Writes rows with the quote. */
  keep(transaction: CommonQueryMethods, quote: { quoteId: string; accountId: string }): Promise<void>
}

export type SubmissionWorld = Awaited<ReturnType<typeof startSubmissionWorld>>

const quoteRow = z.object({
  id: z.string(),
  status: z.string(),
  failure: z.string().nullable(),
  live: z.bigint(),
})
const bookedBatch = z.object({ hash: z.string(), booked: z.bigint() })
const intentRow = z.object({
  quoteId: z.string(),
  eoa: z.string(),
  status: z.string(),
  txHash: z.string().nullable(),
})

/** A devnet, a database, accounts with quotes written as the quoting service writes them, and the services that send them. */
export async function startSubmissionWorld() {
  const [world, database, proving] = await Promise.all([
    startIntentWorld(),
    openTestDatabase(),
    shareProvingPool({ threads: 1, commitmentKeys: [] }),
  ])
  const { pool } = database
  const { chainId, token, domain, reader, config } = world
  const collector = privateKeyToAddress(generatePrivateKey())
  const collectorOfNobody = privateKeyToAddress(generatePrivateKey())
  const made: TestQuote[] = []
  const services: RunningSubmissions[] = []
  let derivationNonce = 0

  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    reader.request({ method, params } as never)

  /** Settings for a service, in this process or another. */
  function settingsOf({
    relayer,
    ...changes
  }: Partial<SubmissionSettings> & { chain?: object; relayer?: object } = {}): SubmissionSettings {
    const chain = JSON.parse(
      JSON.stringify(
        { ...config, pollIntervalMs: 100, ...changes.chain, relayer: { ...config.relayer, ...relayer } },
        (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      ),
    ) as Record<string, unknown>
    // Eight millionths of a token for gas are 0.27 native coins.
    const worth = { [zeroAddress]: '3000', [token]: '100000000' }
    return { databaseUrl: database.url, tokens: [token], worth, ...changes, chain }
  }

  async function start(changes: Parameters<typeof settingsOf>[0] = {}): Promise<RunningSubmissions> {
    const service = await startSubmissions(pool, proving, settingsOf(changes))
    services.push(service)
    return service
  }

  async function stopServices(): Promise<void> {
    for (const service of services.splice(0)) await service.stop()
  }

  /** An account with this many addresses that hold tokens. */
  async function openSender(addresses = 1, held = HELD): Promise<Sender> {
    const { accountId } = await seedAccount(pool)
    const keys: PrivateKeyAccount[] = []
    for (let index = 0; index < addresses; index += 1) {
      const key = await world.openAccount(held)
      await pool.query(sql.typeAlias('void')`
        insert into stealth_address (address, account_id, derivation_nonce)
        values (${key.address}, ${accountId}, ${derivationNonce++})`)
      keys.push(key)
    }
    return { accountId, keys }
  }

  /** A locked quote that spends all the sender's addresses, and its signed submission. */
  async function quote(sender: Sender, changes: QuoteChanges = {}): Promise<TestQuote> {
    const quoteId = randomUUID()
    const { accountId, keys } = sender
    const recipient = changes.recipient ?? privateKeyToAddress(generatePrivateKey())
    const { other } = changes
    const held = other?.held ?? HELD
    const intents = keys.map((key, place) =>
      world.draft(
        key.address,
        [...(other?.calls(key.address, place) ?? [world.pay(recipient, SENT)]), world.pay(collector, FEE)],
        {
          combinedGas: other?.combinedGas ?? 220_000n,
          expiry: changes.expiry ?? BigInt(Math.floor(Date.now() / 1_000) + 900),
        },
      ),
    )
    const delegations =
      changes.delegate === false
        ? []
        : keys.map((key) => ({
            chainId,
            address: key.address,
            contractAddress: world.intents.accountProxy,
            authorizationNonce: changes.authorizationNonce ?? 0,
          }))
    const terms = {
      quoteId,
      intents: intents.map((intent, index) => writeIntent(intent, BigInt(index), domain)),
      delegations: delegations.map((delegation, index) => writeDelegation(delegation, BigInt(index))),
    }
    await pool.transaction(async (transaction) => {
      await transaction.query(sql.typeAlias('void')`
        insert into quote (id, account_id, kind, chain_id, token, amount, recipient, terms, network_fee, service_fee,
          fee_waived, gas_cost, expires_at, token_decimals, fee_receiver, asked)
        values (${quoteId}, ${accountId}, ${other?.kind ?? 'send'}, ${chainId}, ${token},
          ${(held - FEE) * BigInt(keys.length)}, ${recipient}, ${sql.jsonb(terms as never)}, ${NETWORK_FEE * BigInt(keys.length)}, ${2n * BigInt(keys.length)}, false,
          ${changes.gasCost ?? 10n ** 17n}, now() + ${changes.expiresInSeconds ?? 900} * interval '1 s',
          ${DECIMALS}, ${collector}, ${sql.jsonb({ details: (other?.details ?? {}) as never })})`)
      await other?.keep(transaction, { quoteId, accountId })
      for (const { address } of keys) {
        if (other?.brings) {
          const paid = { address, amount: held, networkFee: NETWORK_FEE, serviceFee: FEE - NETWORK_FEE }
          await recordPayments(transaction, quoteId, [{ chainId, token, ...paid }])
          continue
        }
        await transaction.query(sql.typeAlias('void')`
          insert into reservation (quote_id, chain_id, address, token, amount, network_fee, service_fee)
          values (${quoteId}, ${chainId}, ${address}, ${token}, ${held}, ${NETWORK_FEE}, ${FEE - NETWORK_FEE})`)
        await transaction.query(sql.typeAlias('void')`
          insert into locked_funds (chain_id, address, token, amount, ceiling)
          values (${chainId}, ${address}, ${token}, ${held}, ${held})
          on conflict (address, chain_id, token) do update set amount = locked_funds.amount + excluded.amount`)
      }
    })
    const signedIntents = await Promise.all(
      terms.intents.map(async (wire, index) => ({
        ...wire,
        signature: await keys[index]!.signTypedData(typeIntent(intents[index]!, domain)),
      })),
    )
    const signedDelegations = await Promise.all(
      terms.delegations.map(async (wire, index) => ({
        ...wire,
        signature: await keys[index]!.sign({ hash: hashDelegation(delegations[index]!) }),
      })),
    )
    const wire = { accountId, quoteId, intents: signedIntents, delegations: signedDelegations }
    const submission = readWire(wire)
    const one: TestQuote = {
      quoteId,
      accountId,
      sender,
      recipient,
      intents: submission.intents.map(({ intent }) => intent),
      submission,
      wire,
    }
    if (!other) made.push(one)
    return one
  }

  /** Uses the address's next nonce in the next block, ahead of transactions that pay less. */
  async function useNonce(key: PrivateKeyAccount): Promise<void> {
    await ask('anvil_setBalance', key.address, '0xde0b6b3a7640000')
    await ask('anvil_impersonateAccount', key.address)
    await ask('eth_sendTransaction', {
      from: key.address,
      to: collector,
      gas: '0x5208',
      maxFeePerGas: '0x2540be400',
      maxPriorityFeePerGas: '0x2540be400',
    })
    await ask('anvil_stopImpersonatingAccount', key.address)
  }

  /** Moves an address's tokens elsewhere, as its owner could, ahead of transactions that pay less. */
  async function takeAway(address: Address): Promise<void> {
    await ask('anvil_setBalance', address, '0xde0b6b3a7640000')
    await ask('anvil_impersonateAccount', address)
    const { to, data } = world.pay(collectorOfNobody, HELD)
    const fees = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x2540be400' }
    await ask('eth_sendTransaction', { from: address, to, data, gas: '0x30d40', ...fees })
    await ask('anvil_stopImpersonatingAccount', address)
  }

  async function fund(address: Address): Promise<void> {
    const { to, data } = world.pay(address, HELD)
    await reader.waitForTransactionReceipt({ hash: await world.thief.sender.sendTransaction({ to, data }) })
  }

  /** Ends the locks of spent funds, as the indexer does once it has read the balances again. */
  async function releaseAll(): Promise<void> {
    await until(
      async () => {
        await releaseSpent(pool, chainId, await reader.getBlockNumber())
        return pool.exists(sql.typeAlias('void')`
          select from reservation where spent_in_block is not null and released_at is null`)
      },
      (isLeft) => !isLeft,
    )
  }

  async function refill({ keys }: Sender): Promise<void> {
    await releaseAll()
    for (const { address } of keys) await fund(address)
  }

  const countKept = (quoteId: string) =>
    pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
      select count(*) from intent where quote_id = ${quoteId}
        and (encoded is not null or delegation is not null or network is not null)`)

  const attemptsOf = (quoteId: string) =>
    pool.anyFirst(sql.type(z.object({ attempts: z.int() }))`
      select attempts from intent where quote_id = ${quoteId} order by place`)

  const countExposed = (quoteId: string) =>
    pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
      select count(*) from intent where quote_id = ${quoteId} and exposed and status = 'queued'`)

  const quotes = () =>
    pool.any(sql.type(quoteRow)`
      select id, status, failure, (
          select count(*) from reservation where quote_id = quote.id and released_at is null
        ) as live
      from quote`)
  const intentRows = () =>
    pool.any(sql.type(intentRow)`
      select quote_id as "quoteId", eoa, status, tx_hash as "txHash" from intent`)

  /** Waits until every submitted quote has ended. */
  const settled = () => until(quotes, (rows) => rows.every(({ status }) => status !== 'submitted'))

  /** Waits until a condition holds. */
  async function until<Answer>(
    look: () => Promise<Answer>,
    isSo: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const deadline = Date.now() + 150_000
    for (;;) {
      const answer = await look()
      if (isSo(answer)) return answer
      if (Date.now() > deadline)
        throw new Error(
          `in vain: ${JSON.stringify(answer, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))}`,
        )
      await sleep(100)
    }
  }

  /** Executions by intent, as reported in the contract's events: the reference of these tests. */
  async function executions(): Promise<Map<string, Hash[]>> {
    const logs = await reader.getContractEvents({
      address: world.intents.orchestrator,
      abi: orchestratorAbi,
      eventName: 'IntentExecuted',
      fromBlock: 0n,
    })
    const good = logs.filter(({ args }) => args.incremented && args.err === '0x00000000')
    const byIntent = Map.groupBy(good, ({ args }) => keyOf(args.eoa!, args.nonce!))
    return new Map([...byIntent].map(([key, those]) => [key, those.map((log) => log.transactionHash)]))
  }

  /**
   * Compares the ledger with the chain. Each payment was made at most once, the database agrees, and nothing is
   * reserved any more. No transaction contains addresses of two quotes of one account.
   */
  async function expectTrueLedger(): Promise<void> {
    await releaseAll()
    const [executed, rows, states] = await Promise.all([executions(), intentRows(), quotes()])
    for (const one of made) {
      const state = states.find(({ id }) => id === one.quoteId)!
      const hashes = one.intents.map((intent) => executed.get(keyOf(intent.eoa, intent.intentNonce)) ?? [])
      for (const those of hashes) expect(those.length, 'executions of one intent').toBeLessThanOrEqual(1)
      const count = hashes.filter((those) => those.length === 1).length
      if (state.status !== 'locked') expect(state.live, 'live reservations').toBe(0n)
      const own = rows.filter(({ quoteId }) => quoteId === one.quoteId)
      for (const row of own) {
        const intent = one.intents.find(({ eoa }) => eoa === row.eoa)!
        const [hash] = executed.get(keyOf(intent.eoa, intent.intentNonce)) ?? []
        expect(row.status, `an intent of a ${state.status} quote`).toBe(hash ? 'succeeded' : 'failed')
        if (hash) expect(row.txHash).toBe(hash)
      }
      if (own.length > 0) expect(state.status).toBe(count === one.intents.length ? 'confirmed' : 'failed')
    }
    const paid = Map.groupBy(made, ({ recipient }) => recipient)
    for (const [recipient, those] of paid) {
      const keys = those.flatMap(({ intents }) => intents.map((i) => keyOf(i.eoa, i.intentNonce)))
      const times = keys.filter((key) => executed.has(key)).length
      expect(await world.balanceOf(recipient)).toBe(SENT * BigInt(times))
    }
    const all = made.flatMap(({ intents }) => intents.map((i) => keyOf(i.eoa, i.intentNonce)))
    expect(await world.balanceOf(collector)).toBe(FEE * BigInt(all.filter((key) => executed.has(key)).length))
    const locked = await pool.oneFirst(sql.type(z.object({ sum: z.bigint() }))`
      select coalesce(sum(amount), 0) as sum from locked_funds
      where not exists (
        select from reservation where reservation.address = locked_funds.address and released_at is null)`)
    expect(locked, 'locked without a reservation').toBe(0n)
    await expectNoJoins()
    await expectTrueBooks(all.filter((key) => executed.has(key)).length)
  }

  /**
   * Expects the booked gas of each batch to be its receipt's fee, and the booked income the fee receiver's gain, to the
   * unit.
   */
  async function expectTrueBooks(executedIntents: number): Promise<void> {
    const batches = await pool.any(sql.type(bookedBatch)`
      select mined_hash as hash, coalesce(sum(gas_spent), 0) as booked
      from outbound_tx join intent_batch on outbound_id = outbound_tx.id left join send_gas on batch_id = intent_batch.id
      where status in ('confirmed', 'reverted') group by intent_batch.id, mined_hash`)
    for (const { hash, booked } of batches) {
      const { gasUsed, effectiveGasPrice } = await reader.getTransactionReceipt({ hash: hash as Hash })
      expect(booked, `gas of ${hash}`).toBe(gasUsed * effectiveGasPrice)
    }
    const [sums] = await sumSends(pool)
    expect(sums?.networkFee ?? 0n).toBe(NETWORK_FEE * BigInt(executedIntents))
    expect(sums?.serviceFee ?? 0n).toBe((FEE - NETWORK_FEE) * BigInt(executedIntents))
    expect(sums?.gasSpent ?? 0n).toBe(batches.reduce((sum, { booked }) => sum + booked, 0n))
  }

  /** No transaction executes intents of two quotes of one account. */
  async function expectNoJoins(): Promise<void> {
    const ours = await intentRows()
    const accountOf = new Map(made.map(({ quoteId, accountId }) => [quoteId, accountId]))
    for (const those of Map.groupBy(ours, ({ txHash }) => txHash).values()) {
      if (those[0]?.txHash === null) continue
      const quoteIds = [...new Set(those.map(({ quoteId }) => quoteId))]
      expect(new Set(quoteIds.map((id) => accountOf.get(id))).size).toBe(quoteIds.length)
    }
  }

  return {
    ...world,
    collector,
    pool,
    databaseUrl: database.url,
    nativeToken: zeroAddress,
    ask,
    blocks: controlBlocks(ask),
    settingsOf,
    start,
    openSender,
    quote,
    useNonce,
    takeAway,
    refill,
    countKept,
    attemptsOf,
    countExposed,
    signers: config.relayer!.signerKeys.map((key) => privateKeyToAddress(key)),
    quotes,
    intentRows,
    settled,
    until,
    executions,
    expectTrueLedger,
    stopServices,
    executionsOf: async ({ eoa, intentNonce }: Intent) =>
      (await executions()).get(keyOf(eoa, intentNonce)) ?? [],
    async stop() {
      await stopServices()
      await proving.close()
      await database.drop()
      await world.stop()
    },
  }
}

const keyOf = (eoa: Hex, intentNonce: bigint) => `${eoa.toLowerCase()}:${intentNonce}`
