import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { connectWallet } from '../../test/devnet/wallet/connect-wallet.ts'
import { askQuote } from '../../schema/client/quotes/send.ts'
import { signUnchecked } from '../../test/harness/sign-unchecked.ts'
import { post, relayBody, runConcurrently } from '../../test/harness/relay-requests.ts'
import { loadRelayVectors } from '../../test/vectors/load-relay-vectors.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import { takeSample, type Sample } from '../measure/take-sample.ts'
import { watchSpent } from '../relayer/watch-spent.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import { submit } from '../transact/bench-submit.ts'
import { openCrowd, untilConfirmed, type Member } from '../transact/open-crowd.ts'
import type { InstancesWorld } from './open-instances.ts'

const AMOUNT = 1_000_000n
/** Duplicates of a relay that warm up an instance: they are checked and verified again, and get the first answer. */
const TWINS = 8
/** Milliseconds for the aftermath of a load. */
const SETTLE_MS = 3_000

/** The work at each instance. */
export interface Load {
  /** Concurrent requests. */
  atOnce: number
  /** Measured relays or sends, and those before them. */
  each: number
  warmUp: number
}

/** The cost of a load, and how many of its operations succeeded. */
export interface Outcome {
  sample: Sample
  good: number
  /** Methods of each round trip to the node, including the aftermath; none where the node is far. */
  trips: readonly (readonly string[])[]
  /** The part of the time of all cores that was used, by any process. */
  busy: number
}

/** CPU of all instances and of PostgreSQL, milliseconds. */
export async function openCpuReader({ urls, cluster }: InstancesWorld): Promise<() => Promise<number>> {
  const readers = urls.map(readServiceCpu)
  return async () => {
    const each = await Promise.all(readers.map((read) => read()))
    return each.reduce<number>((sum, cpu) => sum + (cpu ?? 0), readPostgresCpu(cluster))
  }
}

/** Gives each instance its own part of the work. */
async function spread<Piece>(
  { urls }: InstancesWorld,
  { atOnce }: Load,
  pieces: readonly Piece[],
  run: (url: string, piece: Piece) => Promise<boolean>,
): Promise<number> {
  const parts = urls.map((url, place) => ({
    url,
    part: pieces.filter((_, index) => index % urls.length === place),
  }))
  const good = await Promise.all(
    parts.map(({ url, part }) => runConcurrently(part, atOnce, (piece) => run(url, piece))),
  )
  return good.flat().filter(Boolean).length
}

/** Runs the measured pieces. */
async function measure(
  { takeTrips }: InstancesWorld,
  readCpu: () => Promise<number>,
  operations: number,
  run: () => Promise<number>,
): Promise<Outcome> {
  let good = 0
  takeTrips()
  const before = readCores()
  const sample = await takeSample(readCpu, operations, async () => {
    good = await run()
  })
  const after = readCores()
  await sleep(SETTLE_MS)
  const trips = takeTrips()
  return { sample, good, trips, busy: 1 - (after.idle - before.idle) / (after.all - before.all) }
}

/** Returns the total time of all cores so far, and their idle time. */
function readCores(): { all: number; idle: number } {
  const times = cpus().map((core) => core.times)
  const all = times.reduce((sum, one) => sum + Object.values(one).reduce((total, part) => total + part, 0), 0)
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) }
}

/** Relays, each until the chain has it. */
export async function measureRelays(
  world: InstancesWorld,
  load: Load,
  readCpu: () => Promise<number>,
): Promise<Outcome> {
  const watch = await watchSpent([world.chain])
  const vectors = loadRelayVectors().relays.filter(({ pool }) => pool === 'native')
  const [warmUp, measured] = [load.warmUp, load.each].map((count) => count * world.urls.length) as [
    number,
    number,
  ]
  const bodies = await Promise.all(vectors.slice(0, warmUp + measured).map((vector) => relayBody(vector)))
  const relay = async (url: string, body: (typeof bodies)[number]) => {
    const answer = await post(url, '/relayer/request', body)
    return answer.body['success'] === true && (await watch.waitFor(String(body.publicSignals[1])))
  }
  const first = bodies.slice(0, warmUp)
  await spread(world, load, first, relay)
  for (let twin = 0; twin < TWINS; twin += 1) await spread(world, load, first, relay)
  await sleep(SETTLE_MS)
  const rest = bodies.slice(warmUp)
  const outcome = await measure(world, readCpu, rest.length, () => spread(world, load, rest, relay))
  await watch.stop()
  return outcome
}

/** Sends of accounts with one address each, from the quote to the transaction's hash. */
export async function measureSends(
  world: InstancesWorld,
  load: Load,
  readCpu: () => Promise<number>,
): Promise<Outcome> {
  const { chain, urls } = world
  const token = chain.pools.find(({ symbol }) => symbol !== 'ETH')?.asset
  const account = chain.accounts[5]
  if (!token || !account) throw new Error('the devnet lacks a token or an account')
  const wallet = connectWallet(chain, account.privateKey)
  const warmUp = load.warmUp * urls.length
  const members = warmUp + load.each * urls.length
  const crowd = await openCrowd(urls[0]!, wallet, token, members, AMOUNT * 1_000n)
  const send = (url: string, member: Member) => sendOnce(member, url, token, chain.chainId)
  await spread(world, load, crowd.slice(0, warmUp), send)
  await sleep(SETTLE_MS)
  const rest = crowd.slice(warmUp)
  return measure(world, readCpu, rest.length, () => spread(world, load, rest, send))
}

/** Quotes, signs and submits at one of the instances, and waits until the transaction is confirmed. */
async function sendOnce(member: Member, url: string, token: Address, chainId: number): Promise<boolean> {
  const there = member.at(url)
  const destination = member.freshAddress()
  const quote = await askQuote(there, { chainId, token, amount: AMOUNT, destination })
  const { txHash } = await submit(there, await signUnchecked(there, quote))
  return txHash !== undefined || (await untilConfirmed(there, quote.quoteId)) !== undefined
}
