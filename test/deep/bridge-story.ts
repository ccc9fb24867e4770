import { randomInt } from 'node:crypto'
import { BaseError } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { waitUntilIndexed } from '../harness/chain-actors.ts'
import { addressIn } from '../relayer/transact/kinds/swap/cross-chain/bridge-once.ts'
import {
  depositsIn,
  fill,
  spokePool,
  type DepositedRelay,
} from '../relayer/transact/kinds/swap/cross-chain/fill-deposits.ts'
import { expectAsFresh } from '../relayer/transact/kinds/swap/cross-chain/expect-as-fresh.ts'
import { fillSlowly, refund, requestSlowFill } from '../relayer/transact/kinds/swap/cross-chain/pay-leaves.ts'
import { blocksOf, reorganizeChain } from '../relayer/transact/kinds/swap/cross-chain/reorganize-chain.ts'
import { dollars, type BridgeWorld } from '../relayer/transact/kinds/swap/cross-chain/start-bridge-world.ts'
import { startKillableWorld } from '../relayer/transact/kinds/swap/cross-chain/start-killable-world.ts'
import { passTime, timeOf } from '../relayer/transact/kinds/swap/cross-chain/watch-orders.ts'

/** The origin loses no more blocks than that: final blocks stay. */
const CONFIRMATIONS = 2
const ADDRESSES = 24
/** Deposits that something happens to. */
const NEWEST = 10
/** Across' SpokePool marks a filled relay with this. */
const FILLED = 2n

/** Steps by how often they come. */
const STEPS = {
  deposit: 30,
  fill: 25,
  spoof: 8,
  slowFill: 6,
  mine: 12,
  reorgOfOrigin: 7,
  reorgOfDestination: 8,
  kill: 4,
  expire: 2,
  refund: 8,
} as const
type Step = keyof typeof STEPS

/**
 * Makes the given number of random steps with orders over two chains, and lets everything come to rest. Then every
 * order agrees with the SpokePools about its one deposit, and a fresh index finds the same.
 * @returns How often each step was taken and changed a chain.
 */
export async function bridgeStory(steps: number): Promise<Record<Step, number>> {
  await using world = await startKillableWorld({ confirmations: CONFIRMATIONS })
  const { origin, destination } = world
  const alice = await world.openSender()
  await alice.receiveAll(
    origin.dollar,
    Array.from({ length: ADDRESSES }, () => dollars('1000')),
  )
  // Blocks from here on may be lost, and none before.
  for (const chain of [origin, destination]) await blocksOf(chain).mine(2 * CONFIRMATIONS)
  await waitUntilIndexed(world.service, origin.payer)

  const anyDeposit = async (): Promise<DepositedRelay | undefined> => {
    // Older ones have ended as a rule.
    const deposits = (await readDeposits(world)).slice(-NEWEST).map(({ deposit }) => deposit)
    return deposits[randomInt(Math.max(1, deposits.length))]
  }
  const withDeposit = async (act: (deposit: DepositedRelay) => Promise<unknown>) => {
    const deposit = await anyDeposit()
    return deposit !== undefined && (await mayRevert(act(deposit)))
  }
  const act: Record<Step, () => Promise<boolean>> = {
    async deposit() {
      // The deposit of an order is known by its amount.
      const amountIn = String(dollars('10') + BigInt(randomInt(1_000_000)))
      const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn }
      const body = { type: 'swap', chainId: origin.chainId, tokenOutChainId: destination.chainId, ...asked }
      const answer = await alice.post('/quote', body)
      // All addresses wait for blocks, or a chain has just lost some.
      if (answer.status !== 200) return false
      const submitted = await alice.post('/submit', await alice.sign(answer.body))
      return submitted.status === 200
    },
    fill: () => withDeposit((deposit) => fill(destination.payer, destination.across, deposit)),
    spoof: () =>
      withDeposit((deposit) =>
        fill(destination.payer, destination.across, { ...deposit, outputAmount: BigInt(randomInt(1, 99)) }),
      ),
    slowFill: () =>
      withDeposit(async (relay) => {
        const updatedOutput = relay.inputAmount
        await requestSlowFill(destination.payer, destination.across, relay)
        await destination.payer.payToken(destination.dollar, destination.across.spokePool, updatedOutput)
        await fillSlowly(destination.payer, destination.across, { relay, updatedOutput })
      }),
    async mine() {
      await blocksOf(origin).mine(randomInt(1, 3))
      await blocksOf(destination).mine(randomInt(1, 3))
      return true
    },
    async reorgOfOrigin() {
      await reorganizeChain(origin, randomInt(1, CONFIRMATIONS + 1))
      return true
    },
    async reorgOfDestination() {
      await reorganizeChain(destination, randomInt(1, 2 * CONFIRMATIONS + 1))
      return true
    },
    async kill() {
      await world.restart()
      return true
    },
    expire: () =>
      withDeposit(async ({ fillDeadline }) => {
        if ((await timeOf(destination)) <= fillDeadline) await passTime(destination, fillDeadline)
        // Deposits are refused whose deadline is too far ahead of the origin.
        const behind = (await timeOf(destination)) - (await timeOf(origin))
        if (behind > 7_200) await passTime(origin, (await timeOf(origin)) + behind)
      }),
    refund: () =>
      withDeposit(async (deposit) => {
        if (await isFilled(world, deposit)) throw new BaseError('nothing is owed')
        if ((await timeOf(destination)) <= deposit.fillDeadline)
          await passTime(destination, deposit.fillDeadline)
        await refund(origin.payer, origin.across, {
          depositor: addressIn(deposit.depositor),
          token: origin.dollar,
          amount: deposit.inputAmount,
        })
      }),
  }
  const counts = Object.fromEntries(Object.keys(STEPS).map((step) => [step, 0])) as Record<Step, number>
  for (let step = 0; step < steps; step += 1) {
    const chosen = chooseStep()
    if (await act[chosen]()) counts[chosen] += 1
  }
  await settle(world)
  await expectAsContracts(world)
  await expectAsFresh(world)
  return counts
}

function chooseStep(): Step {
  const entries = Object.entries(STEPS) as [Step, number][]
  let left = randomInt(entries.reduce((sum, [, weight]) => sum + weight, 0))
  for (const [step, weight] of entries) {
    if (left < weight) return step
    left -= weight
  }
  return 'mine'
}

/** True if it was done; a call that a contract refuses changes nothing. */
async function mayRevert(doing: Promise<unknown>): Promise<boolean> {
  try {
    await doing
    return true
  } catch (error) {
    if (error instanceof BaseError || /was reverted/.test(String(error))) return false
    throw error
  }
}

async function readDeposits({ origin }: BridgeWorld) {
  const logs = await origin.payer.wallet.reader.getLogs({
    address: origin.across.spokePool,
    fromBlock: 0n,
  })
  return logs.flatMap((log) =>
    depositsIn([log], origin.chainId).map((deposit) => ({ deposit, txHash: log.transactionHash })),
  )
}

async function isFilled({ destination }: BridgeWorld, deposit: DepositedRelay): Promise<boolean> {
  const { reader } = destination.payer.wallet
  const contract = { address: destination.across.spokePool, abi: spokePool.abi }
  const hash = await reader.readContract({ ...contract, functionName: 'getV3RelayHash', args: [deposit] })
  const status = await reader.readContract({ ...contract, functionName: 'fillStatuses', args: [hash] })
  return status === FILLED
}

/** Blocks come until every quote has ended and everything is final. */
async function settle(world: BridgeWorld): Promise<void> {
  const [from, to] = [blocksOf(world.origin), blocksOf(world.destination)]
  from.keepMining()
  to.keepMining()
  const open = () =>
    world.service.database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
      select count(*)::int as count from quote where status = 'submitted'`)
  try {
    await expect.poll(open, { timeout: 300_000 }).toBe(0)
  } finally {
    await from.stopMining()
    await to.stopMining()
  }
  await from.mine(CONFIRMATIONS)
  await to.mine(CONFIRMATIONS)
  await waitUntilIndexed(world.service, world.origin.payer)
  await waitUntilIndexed(world.service, world.destination.payer)
}

const orderRow = z.object({
  inputAmount: z.bigint(),
  fillDeadline: z.bigint(),
  status: z.string(),
  depositTx: z.string().nullable(),
})

/** Every order that was made has one deposit, and the status that the contracts show. */
async function expectAsContracts(world: BridgeWorld): Promise<void> {
  const deposits = await readDeposits(world)
  const time = BigInt(await timeOf(world.destination))
  const found = async () => {
    const orders = await world.service.database.pool.any(sql.type(orderRow)`
      select input_amount as "inputAmount", fill_deadline as "fillDeadline", bridge_order.status,
        deposit_tx as "depositTx"
      from bridge_order join quote on quote.id = quote_id where quote.status in ('confirmed', 'failed')
      order by input_amount`)
    return orders.map(({ status, ...order }) => ({
      ...order,
      // A comparison with a fresh index below checks the refunds.
      status: status === 'refunded' ? 'expired' : status,
    }))
  }
  const orders = await found()
  const expected = await Promise.all(
    orders.map(async ({ inputAmount, fillDeadline }) => {
      const own = deposits.filter(({ deposit }) => deposit.inputAmount === inputAmount)
      expect(own.length).toBeLessThanOrEqual(1)
      const [made] = own
      const depositTx = made?.txHash ?? null
      if (!made) return { inputAmount, fillDeadline, depositTx, status: 'failed' }
      const status = (await isFilled(world, made.deposit))
        ? 'completed'
        : fillDeadline < time
          ? 'expired'
          : 'confirmed_source'
      return { inputAmount, fillDeadline, depositTx, status }
    }),
  )
  expect(expected.length).toBeGreaterThan(0)
  await expect.poll(found).toEqual(expected)
}
