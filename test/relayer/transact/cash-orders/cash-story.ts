import { randomInt } from 'node:crypto'
import { encodeFunctionData, erc20Abi, type Hash } from 'viem'
import { peerEscrowAbi } from '../../../../relayer/chain/contracts/peer-escrow.ts'
import { accounts } from '../../chain/indexer/chain-calls.ts'
import { at } from '../../../vectors/relay-story.ts'
import { expectBooks } from './expect-books.ts'
import { usd, type CashWorld, type MadeCash } from './start-cash-world.ts'

/** A refused step changes nothing: the deposit is closed, or no buyer is free. */
const REFUSALS = /refuses it|nobody holds|every buyer|names no way|there is no deposit|reverted|insufficient/i
/** Steps that must not be refused: a short walk goes on until it has them. */
const LEAST_DONE = 5
/** Older deposits are mostly closed. */
const NEWEST = 3

const STEPS = {
  open: 3,
  take: 8,
  prove: 4,
  'prove part': 3,
  cancel: 2,
  'release by hand': 1,
  expire: 3,
  prune: 2,
  withdraw: 1,
  'withdraw some': 2,
  add: 1,
  reorg: 3,
}
type Step = keyof typeof STEPS

/**
 * Tries the given number of random steps with cash-outs and their buyers, or more. After each of them the order in question has
 * the books of the escrow, and at the end all orders have.
 * @returns How often each step did something.
 */
export async function cashStory(world: CashWorld, steps: number): Promise<Record<Step, number>> {
  await world.tell('hold')
  const counts = Object.fromEntries(Object.keys(STEPS).map((name) => [name, 0])) as Record<Step, number>
  const made: MadeCash[] = []
  const held: Hash[] = []
  let openedAt = 0n

  const pick = () => at(made, randomInt(Math.max(0, made.length - NEWEST), made.length))
  const pickHeld = () => held[randomInt(Math.max(1, held.length))] ?? `0x${'00'.repeat(32)}`
  const some = (most: number) => String(usd(String(randomInt(1, most))) + BigInt(randomInt(1_000_000)))

  async function take(step: Step): Promise<MadeCash> {
    if (step === 'open') {
      made.push(await world.open(usd(String(randomInt(100, 300)))))
      openedAt = await world.reader.getBlockNumber()
      return at(made, made.length - 1)
    }
    const one = pick()
    if (step === 'take') held.push(await world.about(one, 'take', { amount: some(60) }))
    else if (step === 'prove') await world.aboutHeld(pickHeld(), 'prove')
    else if (step === 'prove part') await world.aboutHeld(pickHeld(), 'prove', { amount: some(20) })
    else if (step === 'cancel') await world.aboutHeld(pickHeld(), 'cancel')
    else if (step === 'release by hand') await world.aboutHeld(pickHeld(), 'release-by-hand')
    else if (step === 'expire' || step === 'prune') await world.about(one, step)
    else if (step === 'withdraw') await world.withdraw(one)
    else if (step === 'withdraw some') await removeFunds(world, one, BigInt(some(30)))
    else if (step === 'add') await addFunds(world, one, BigInt(some(30)))
    else await reorganize(world, openedAt)
    return one
  }

  const done = () => Object.values(counts).reduce((sum, times) => sum + times, 0)
  for (let number = 0; number < steps || done() < LEAST_DONE; number += 1) {
    const step = made.length === 0 ? 'open' : chooseStep()
    try {
      const about = await take(step)
      counts[step] += 1
      await expectBooks(world, about)
    } catch (error) {
      if (!REFUSALS.test(String(error))) throw error
    }
  }
  for (const one of made) await expectBooks(world, one)
  return counts
}

function chooseStep(): Step {
  const entries = Object.entries(STEPS) as [Step, number][]
  let left = randomInt(entries.reduce((sum, [, weight]) => sum + weight, 0))
  for (const [step, weight] of entries) {
    if (left < weight) return step
    left -= weight
  }
  return 'take'
}

const removeFunds = (world: CashWorld, { depositor, depositId }: MadeCash, amount: bigint) =>
  world.send(
    depositor,
    world.peer.escrow,
    encodeFunctionData({ abi: peerEscrowAbi, functionName: 'removeFunds', args: [depositId, amount] }),
  )

const addAbi = [
  {
    type: 'function',
    name: 'addFunds',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'uint256' }, { type: 'uint256' }],
    outputs: [],
  },
] as const

/** Anybody can add to a deposit. */
async function addFunds(world: CashWorld, { depositId }: MadeCash, amount: bigint): Promise<void> {
  const { address } = at(accounts.clients, 3)
  const allow = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [world.peer.escrow, amount],
  })
  await world.send(address, world.token, allow)
  const data = encodeFunctionData({ abi: addAbi, functionName: 'addFunds', args: [depositId, amount] })
  await world.send(address, world.peer.escrow, data)
}

/** Replaces up to three blocks by empty ones; the last deposit stays, because no step would make it again. */
async function reorganize(world: CashWorld, openedAt: bigint): Promise<void> {
  const depth = Math.min(randomInt(1, 4), Number((await world.reader.getBlockNumber()) - openedAt))
  if (depth === 0) throw new Error('there is no deposit to keep: refuses it')
  await world.ask('anvil_reorg', depth, [])
  await world.ask('anvil_dropAllTransactions')
  await world.ask('evm_mine')
}
