import { zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { runConcurrently, untilFinal } from '../../../harness/relay-requests.ts'
import { openWalletSender, type WalletSender } from '../../transact/submissions/open-wallet-sender.ts'
import type { Mode } from './create-burners.ts'
import { startAttackWorld, type AttackWorld } from './start-attack-world.ts'

/** No simulation, however exact, detects the first. */
const ATTACKS = [
  'flag',
  'gasPrice',
  'baseFee',
  'origin',
  'coinbase',
  'gasLeft',
  'flag',
] as const satisfies Mode[]
/** The recipient of a relay sees less gas than this only in the last simulation and in the block. */
const GAS_MARK = 150_000
const COIN = 10n ** 15n

export interface AttackStory {
  /** How long the attack lasts, and how often each attacker tries at most. */
  milliseconds: number
  attempts: number
  /** Notes whose recipients burn gas; the modes are used in turn. */
  notes: number
  /** New accounts that pay such recipients. */
  accounts: number
  /** Relays and sends to plain addresses at the same time. */
  honestRelays: number
  honestSends: number
  unpaidGasPerHour: number
}

interface Ends {
  until: number
  attempts: number
}

interface Tally {
  attempts: number
  accepted: number
  /** Refusals by code, or by the first word of the error. */
  refused: Record<string, number>
}

const newTally = (): Tally => ({ attempts: 0, accepted: 0, refused: {} })

/**
 * Attacks relays and sends with contracts that recognise a simulation, while others use the service. The gas that the
 * chain's receipts show as lost must stay within the budget, and all honest requests must succeed.
 */
export async function gasAttackStory(story: AttackStory) {
  const world = await startAttackWorld({ unpaidGasPerHour: story.unpaidGasPerHour })
  try {
    const [thieves, honest] = await Promise.all([
      openSenders(world, story.accounts, 2),
      openSenders(world, 1, story.honestSends),
    ])
    const until = performance.now() + story.milliseconds
    const [relays, sends] = [newTally(), newTally()]
    const ends = { until, attempts: story.attempts }
    const attackers = [
      ...Array.from({ length: story.notes }, (_, index) => attackByRelay(world, index, ends, relays)),
      ...thieves.map((thief, index) => attackBySends(world, thief, index, ends, sends)),
    ]
    const others = [relayHonestly(world, story), sendHonestly(honest[0]!)]
    const [kept] = await Promise.all([Promise.all(others), Promise.all(attackers)])
    await settled(world)
    const lost = await world.lostOnChain()
    return {
      ...story,
      relays,
      sends,
      lost: lost.gas,
      failures: lost.hashes.length,
      booked: await world.booked(),
      kept: kept.flat(),
    }
  } finally {
    await world.stop()
  }
}

/** Checks the outcome of the attack. */
export function expectBounded(outcome: Awaited<ReturnType<typeof gasAttackStory>>): void {
  const { lost, booked, kept, relays, sends, failures, unpaidGasPerHour } = outcome
  const facts = JSON.stringify({ lost: String(lost), booked: String(booked), failures, relays, sends })
  expect(lost, facts).toBeLessThanOrEqual(BigInt(unpaidGasPerHour))
  // If no attack had reached the chain, the test would prove nothing.
  expect(failures, facts).toBeGreaterThan(0)
  expect(relays.accepted, facts).toBeGreaterThan(0)
  expect(sends.accepted, facts).toBeGreaterThan(0)
  expect(booked, facts).toBe(lost)
  expect(kept.filter((end) => end !== 'confirmed')).toEqual([])
  expect(kept.length).toBe(outcome.honestRelays + outcome.honestSends)
}

async function openSenders(world: AttackWorld, count: number, addresses: number): Promise<WalletSender[]> {
  const senders: WalletSender[] = []
  for (let index = 0; index < count; index += 1) {
    const sender = await openWalletSender(world.service, world.payer)
    await sender.receiveAll(
      zeroAddress,
      Array.from({ length: addresses }, () => 100n * COIN),
    )
    senders.push(sender)
  }
  return senders
}

/** Attacks in one mode as often as it is admitted, and goes on trying. */
async function attackByRelay(
  world: AttackWorld,
  index: number,
  { until, attempts }: Ends,
  tally: Tally,
): Promise<void> {
  const mode = ATTACKS[index % ATTACKS.length]!
  const { recipient } = world.vectors.relays[index]!
  for (let turn = 0; turn < attempts && performance.now() < until; turn += 1) {
    await world.arm(recipient, mode, mode === 'gasLeft' ? GAS_MARK : 0)
    tally.attempts += 1
    const { status, body } = await world.betweenBlocks(async () => {
      const answer = await world.relay(index)
      if (mode === 'flag') await world.setArgument(recipient, 1)
      return answer
    })
    if (body['success'] === true) {
      tally.accepted += 1
      const { status: end } = await untilFinal(world.service.url, body['requestId'] as string, 60_000)
      if (end === 'confirmed') return
      continue
    }
    count(tally, status === 200 ? wordOf(body['error']) : wordOf(body['code'] ?? status))
    await pause(until)
  }
}

async function attackBySends(
  world: AttackWorld,
  thief: WalletSender,
  index: number,
  { until, attempts }: Ends,
  tally: Tally,
): Promise<void> {
  for (let turn = 0; turn < attempts && performance.now() < until; turn += 1) {
    const mode = ATTACKS[(turn + index) % ATTACKS.length]!
    const recipient = privateKeyToAddress(generatePrivateKey())
    await world.arm(recipient, mode, mode === 'gasLeft' ? GAS_MARK : 0)
    tally.attempts += 1
    const quote = await thief
      .quote({
        token: zeroAddress,
        amount: String(COIN),
        destinationAddress: recipient,
        acknowledgedContractRecipient: recipient,
      })
      .catch((error: unknown) => String(error))
    if (typeof quote === 'string') {
      count(tally, wordOf(quote))
      await pause(until)
      continue
    }
    const signed = await thief.sign(quote)
    const { status, body } = await world.betweenBlocks(async () => {
      const answer = await thief.post('/submit', signed)
      if (mode === 'flag') await world.setArgument(recipient, 1)
      return answer
    })
    if (status === 200) {
      tally.accepted += 1
      await untilQuoteEnds(thief, quote.quoteId)
    } else {
      count(tally, String((body as { code?: string }).code ?? status))
      await thief.post('/unlock', { quoteId: quote.quoteId })
      await pause(until)
    }
  }
}

async function relayHonestly(world: AttackWorld, { honestRelays }: AttackStory): Promise<string[]> {
  // Honest relays use the last native notes, attackers the first.
  const indices = Array.from({ length: honestRelays }, (_, place) => 61 - place)
  return runConcurrently(indices, 2, async (index) => {
    const { body } = await world.relay(index)
    if (body['success'] !== true) return JSON.stringify(body)
    const end = await untilFinal(world.service.url, body['requestId'] as string, 60_000)
    return String(end['status'])
  })
}

async function sendHonestly(sender: WalletSender): Promise<string[]> {
  const { addresses } = z
    .object({ addresses: z.array(z.unknown()) })
    .parse((await sender.get('/address-balances')).body)
  const ends: string[] = []
  for (let turn = 0; turn < addresses.length; turn += 1) {
    const destinationAddress = privateKeyToAddress(generatePrivateKey())
    const quote = await sender.quote({ token: zeroAddress, amount: String(COIN), destinationAddress })
    const { status, body } = await sender.post('/submit', await sender.sign(quote))
    ends.push(status === 200 ? await untilQuoteEnds(sender, quote.quoteId) : JSON.stringify(body))
  }
  return ends
}

async function untilQuoteEnds(sender: WalletSender, quoteId: string): Promise<string> {
  for (;;) {
    const { status } = (await sender.get(`/relay-status/${quoteId}`)).body as { status: string }
    if (status === 'confirmed' || status === 'failed') return status
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Waits until no transaction is in progress. */
async function settled(world: AttackWorld): Promise<void> {
  const open = () =>
    world.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
      select count(*)::int4 as count from outbound_tx where settled_at is null`)
  await expect.poll(open).toBe(0)
}

const pause = (until: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(200, until - performance.now()))))

const wordOf = (error: unknown) => /[A-Z]+_[A-Z_]+/.exec(String(error))?.[0] ?? String(error).slice(0, 120)

function count({ refused }: Tally, what: string): void {
  refused[what] = (refused[what] ?? 0) + 1
}
