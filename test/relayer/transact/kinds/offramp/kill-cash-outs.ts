import { parseUnits, type Address } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { peerEscrowAbi } from '../../../../../relayer/chain/contracts/peer-escrow.ts'
import { relayStatus } from '../../../../../schema/transact/submit-model.ts'
import type { CashOutQuote } from '../../../../../schema/client/quotes/cash-out.ts'
import { call } from '../../../../harness/call.ts'
import { expectNothingLeaked } from '../../../../harness/expect-nothing-leaked.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import type { WalletSender } from '../../submissions/open-wallet-sender.ts'
import { startCurator } from '../../venues/cash-out/peer/start-curator.ts'
import { balanceOf } from '../swap/cross-chain/bridge-once.ts'
import { blocksOf } from '../swap/cross-chain/reorganize-chain.ts'
import { startKillableWorld, type KillableWorld } from '../swap/cross-chain/start-killable-world.ts'
import { askedOf, quoteCashOut } from './ask-cash-out.ts'
import { cashContracts } from './cash-settings.ts'
import { connectCash } from './start-cash-world.ts'

const usd = (amount: string) => parseUnits(amount, 6)
const { escrow } = cashContracts

/** When the service is killed. */
export const KILLS = [
  'after the quote',
  'after the submission',
  'between the deposit and its indexing',
] as const

const books = z.object({ orders: z.int(), payees: z.int(), deposits: z.array(z.bigint()) })

async function untilConfirmed(sender: WalletSender, quoteId: string): Promise<void> {
  const statusOf = async () => relayStatus.parse((await sender.get(`/relay-status/${quoteId}`)).body).status
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('confirmed')
}

/** Reads a cash-out's rows in the database. */
const booksOf = ({ service }: KillableWorld, quoteId: string) =>
  service.database.pool.one(sql.type(books)`
    select (select count(*)::int from cash_order where quote_id = ${quoteId}::uuid) as orders,
      (select count(*)::int from cash_payee where quote_id = ${quoteId}::uuid) as payees,
      coalesce((select array_agg(deposit_id::int8) from cash_order
        where quote_id = ${quoteId}::uuid and deposit_id is not null), '{}') as deposits`)

/** Deposits of an address into the escrow, and the escrow's returns. */
async function readEscrow({ origin }: KillableWorld, depositor: Address) {
  const read = (eventName: 'DepositReceived' | 'DepositWithdrawn') =>
    origin.payer.wallet.reader.getContractEvents({
      address: escrow,
      abi: peerEscrowAbi,
      eventName,
      args: { depositor },
      fromBlock: 0n,
    })
  const [received, withdrawn] = [await read('DepositReceived'), await read('DepositWithdrawn')]
  return { received: received.map(({ args }) => args), withdrawn: withdrawn.map(({ args }) => args) }
}

/**
 * Makes a cash-out and its withdrawal, each with a service that is killed once. Expects each exactly once on the chain
 * and in the books.
 * @param kills Moments of the kills; one deposit for each.
 */
export async function killCashOuts(kills: readonly (typeof KILLS)[number][]): Promise<void> {
  const curator = await startCurator()
  try {
    await using world = await startKillableWorld({ connect: connectCash(curator) })
    const sender = await world.openSender()
    for (const kill of kills) await killOne({ world, sender, curator }, kill)
    await expectNothingLeaked(world.service.database.pool)
  } finally {
    await curator.stop()
  }
}

interface Killing {
  world: KillableWorld
  sender: WalletSender
  curator: Awaited<ReturnType<typeof startCurator>>
}

async function killOne({ world, sender, curator }: Killing, kill: (typeof KILLS)[number]): Promise<void> {
  const { origin } = world
  const [depositor] = await sender.receiveAll(origin.dollar, [usd('200')])
  if (!depositor) throw new Error('nothing was received')
  const asked = askedOf({ ...world, curator }, usd('100'), { payee: `handle ${kill}` })

  /** Submits a quote in spite of the kill, and waits for its end. */
  async function carry(quote: Pick<CashOutQuote, 'quoteId'>): Promise<void> {
    const signed = await sender.sign(quote as CashOutQuote)
    const submit = async () => {
      const answer = await sender.post('/submit', signed)
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    }
    if (kill === 'after the quote') {
      await world.restart()
      await submit()
    } else if (kill === 'after the submission') {
      await submit()
      await world.restart()
    } else {
      const blocks = blocksOf(origin)
      await blocks.hold()
      await submit()
      await expect
        .poll(
          async () =>
            ((await sender.get(`/relay-status/${quote.quoteId}`)).body as { txHash: string }).txHash,
          {
            timeout: 60_000,
          },
        )
        .toMatch(/^0x/)
      await world.restart(async () => {
        await blocks.mine()
        await blocks.release()
      })
    }
    // The same again changes nothing.
    await submit()
    await untilConfirmed(sender, quote.quoteId)
    await waitUntilIndexed(world.service, origin.payer)
  }

  const quote = await quoteCashOut(sender, asked, { singleAddress: depositor })
  await carry(quote)
  const { received } = await readEscrow(world, depositor)
  expect(received.map(({ amount }) => amount)).toEqual([usd('100')])
  const [{ depositId } = {}] = received
  await expect
    .poll(() => booksOf(world, quote.quoteId), { timeout: 60_000 })
    .toEqual({ orders: 1, payees: 1, deposits: [depositId] })
  const left = await balanceOf(origin.payer, origin.dollar, depositor)
  expect(left).toBe(usd('100') - BigInt(quote.fees.total))

  const back = await sender.quote({ type: 'offramp_withdraw', depositId: `${escrow}_${depositId}` })
  await carry(back)
  const { withdrawn } = await readEscrow(world, depositor)
  expect(withdrawn.map(({ amount }) => amount)).toEqual([usd('100')])
  expect(await balanceOf(origin.payer, origin.dollar, depositor)).toBe(
    left + usd('100') - BigInt(back.fees.total),
  )
  // It has ended, and the payee is deleted.
  await expect.poll(async () => (await booksOf(world, quote.quoteId)).payees, { timeout: 60_000 }).toBe(0)
}

/** Two instances are asked for the same at once: one deposit, one withdrawal. */
export async function raceCashOuts(rounds: number): Promise<void> {
  const curator = await startCurator()
  try {
    await using world = await startKillableWorld({ connect: connectCash(curator) })
    const { origin } = world
    const sender = await world.openSender()
    const otherUrl = await world.startAnother()
    const { accountId, token } = sender.client
    const askOther = async (path: string, body: unknown) => {
      const { status, json } = await call(`${otherUrl}/v1/accounts/${accountId}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
      })
      return { status, body: json as { quoteId: string } }
    }
    for (let round = 0; round < rounds; round += 1) {
      const [depositor] = await sender.receiveAll(origin.dollar, [usd('200')])
      if (!depositor) throw new Error('nothing was received')
      const asked = askedOf({ ...world, curator }, usd('100'), { payee: `racing ${round}` })
      const quote = await quoteCashOut(sender, asked, { singleAddress: depositor })
      const signed = await sender.sign(quote)
      await Promise.all([sender.post('/submit', signed), askOther('/submit', signed)])
      await untilConfirmed(sender, quote.quoteId)
      await waitUntilIndexed(world.service, origin.payer)
      const { received } = await readEscrow(world, depositor)
      expect(received).toHaveLength(1)
      const depositId = `${escrow}_${received[0]!.depositId}`
      const body = { type: 'offramp_withdraw', chainId: origin.chainId, depositId }
      await expect
        .poll(() => booksOf(world, quote.quoteId), { timeout: 60_000 })
        .toEqual({ orders: 1, payees: 1, deposits: [received[0]!.depositId] })
      const answers = await Promise.all([sender.post('/quote', body), askOther('/quote', body)])
      expect(
        answers.map(({ status }) => status).toSorted((one, other) => one - other),
        JSON.stringify(answers),
      ).toEqual([200, 400])
    }
  } finally {
    await curator.stop()
  }
}
