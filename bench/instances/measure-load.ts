import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { connectWallet } from '../../relayer/devnet/wallet/connect-wallet.ts'
import { askQuote, signQuote } from '../../test/e2e/examples/send.ts'
import { post, relayBody, runConcurrently } from '../../test/harness/relay-requests.ts'
import { loadRelayVectors } from '../../test/vectors/load-relay-vectors.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import { takeSample, type Sample } from '../measure/take-sample.ts'
import { watchSpent } from '../relayer/watch-spent.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import { submit } from '../transact/bench-submit.ts'
import { openCrowd, untilConfirmed, type Member } from '../transact/open-crowd.ts'
import type { InstancesWorld } from './open-instances.ts'

/** Requests under way at each instance. */
export const AT_ONCE = 2
/** Relays and sends of each instance in a round. */
const EACH = 10
/** Relays of each instance before anything is measured. */
const WARM_UP = 3
const AMOUNT = 1_000_000n
const SETTLE_MS = 3_000

/** What a load took, and how many of its operations came to a good end. */
export interface Outcome {
  sample: Sample
  good: number
}

/** CPU of all instances and of PostgreSQL, milliseconds. */
export async function openCpuReader({ urls, cluster }: InstancesWorld): Promise<() => Promise<number>> {
  const readers = urls.map(readServiceCpu)
  return async () => {
    const each = await Promise.all(readers.map((read) => read()))
    return each.reduce<number>((sum, cpu) => sum + (cpu ?? 0), readPostgresCpu(cluster))
  }
}

/** Gives each instance its own part of the work, two pieces at a time. */
async function spread<Piece>(
  { urls }: InstancesWorld,
  pieces: readonly Piece[],
  run: (url: string, piece: Piece) => Promise<boolean>,
): Promise<number> {
  const parts = urls.map((url, place) => ({
    url,
    part: pieces.filter((_, index) => index % urls.length === place),
  }))
  const good = await Promise.all(
    parts.map(({ url, part }) => runConcurrently(part, AT_ONCE, (piece) => run(url, piece))),
  )
  return good.flat().filter(Boolean).length
}

/** Relays, each until the chain has it. */
export async function measureRelays(world: InstancesWorld, readCpu: () => Promise<number>): Promise<Outcome> {
  const watch = await watchSpent([world.chain])
  const vectors = loadRelayVectors().relays.filter(({ pool }) => pool === 'native')
  const bodies = await Promise.all(
    vectors.slice(0, world.urls.length * (WARM_UP + EACH)).map((vector) => relayBody(vector)),
  )
  const relay = async (url: string, body: (typeof bodies)[number]) => {
    const answer = await post(url, '/relayer/request', body)
    return answer.body['success'] === true && (await watch.waitFor(String(body.publicSignals[1])))
  }
  const warmUp = world.urls.length * WARM_UP
  await spread(world, bodies.slice(0, warmUp), relay)
  await sleep(SETTLE_MS)
  let good = 0
  const rest = bodies.slice(warmUp)
  const sample = await takeSample(readCpu, rest.length, async () => {
    good = await spread(world, rest, relay)
  })
  await watch.stop()
  return { sample, good }
}

/** Sends of accounts with one address each, from the quote to the transaction's hash. */
export async function measureSends(world: InstancesWorld, readCpu: () => Promise<number>): Promise<Outcome> {
  const { chain, urls } = world
  const token = chain.pools.find(({ symbol }) => symbol !== 'ETH')?.asset
  const account = chain.accounts[5]
  if (!token || !account) throw new Error('the devnet lacks a token or an account')
  const wallet = connectWallet(chain, account.privateKey)
  const crowd = await openCrowd(urls[0]!, wallet, token, urls.length * EACH, AMOUNT * 1_000n)
  const send = (url: string, member: Member) => sendOnce(member, url, token, chain.chainId)
  let good = 0
  const sample = await takeSample(readCpu, crowd.length, async () => {
    good = await spread(world, crowd, send)
  })
  return { sample, good }
}

/** Quotes, signs and submits at one of the instances, and waits until the transaction is confirmed. */
async function sendOnce(member: Member, url: string, token: Address, chainId: number): Promise<boolean> {
  const there = member.at(url)
  const destination = member.freshAddress()
  const quote = await askQuote(there, { chainId, token, amount: AMOUNT, destination })
  const { txHash } = await submit(there, await signQuote(there, quote))
  return txHash !== undefined || (await untilConfirmed(there, quote.quoteId)) !== undefined
}
