import { setTimeout as sleep } from 'node:timers/promises'
import { getAddress, parseEther, parseGwei, toHex, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { sql } from '../../../../../db/connect-database.ts'
import { startProver } from '../../../../devnet/wallet/prover.ts'
import { askConversion } from '../../../../../schema/client/pool/convert.ts'
import { createPoolView, type PoolView } from '../../../../../schema/client/pool/pool-state.ts'
import { readPool } from '../../../../../schema/client/pool/read-pool.ts'
import { spendBlindly } from '../../../../../schema/client/pool/spend-blindly.ts'
import type { Quote } from '../../../../../schema/client/quotes/send.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import { shuffle } from '../../pool-spending/linker/shuffle.ts'
import {
  startDepositWorld,
  type Depositor,
  type DepositWorld,
} from '../../kinds/pool-deposit/start-deposit-world.ts'
import { linkActs, type KnownAct, type LinkScore } from './link-acts.ts'
import { readChain, type SeenAct } from './read-chain.ts'

export interface ChainStory {
  /** Each deposits by one quote from two addresses, and pays a fresh address of its own by another quote. */
  accounts: number
  /** Number of them that withdraw from the pool in the end. */
  exits: number
  /** Mean time between two deposits of a quote: with `everyMs` it says how many quotes come in between. */
  spacingMs: number
  /** Mean time between two quotes of all accounts together, or longer where the machine is slow. */
  everyMs: number
}

/** Scores by the sort of link. */
export interface ChainScores {
  /** The deposits of one quote with each other. */
  deposits: LinkScore[]
  /** Depositors, with payments to fresh addresses by another quote. */
  payers: LinkScore[]
  /** Deposits with withdrawals. */
  exits: LinkScore[]
  /** The signers of accounts' sends, and those of withdrawals. */
  signers: { sends: ReadonlySet<string>; relays: ReadonlySet<string> }
  /** How often a full hour passed after which fees or expiries are others. */
  hours: number
  acts: number
}

interface Actor {
  depositor: Depositor
  view: PoolView
  /** Two that deposit, and one that pays a fresh one. */
  addresses: readonly Address[]
  quotes: Quote[]
}

/** The amount of every withdrawal; no deposit has it. */
const EXIT = parseEther('0.25')

/** Lives through the story and links the acts on the chain. */
export async function chainStory(story: ChainStory): Promise<ChainScores> {
  const world = await startDepositWorld({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
    transact: { submissions: { conversionSpacingMs: story.spacingMs } },
  })
  try {
    return await liveIn(world, story)
  } finally {
    await world.stop()
  }
}

async function liveIn(world: DepositWorld, story: ChainStory): Promise<ChainScores> {
  const { payer, service } = world
  const { reader } = payer.wallet
  const actors: Actor[] = []
  const pool = await readPool(reader, { ...payer.chain, token: zeroAddress })
  for (let place = 0; place < story.accounts; place += 1) actors.push(await openActor(world, pool))
  await moveGasPrice(world)
  const first = (await reader.getBlockNumber()) + 1n
  const from = Date.now()
  const turns = shuffle(actors.flatMap((actor) => [convertTurn(actor), payTurn(world, actor)]))
  for (const turn of turns) {
    const next = sleep(-Math.log(1 - Math.random()) * story.everyMs)
    await moveGasPrice(world)
    await turn()
    await next
  }
  const hours = countHours(from, Date.now())
  await shortenWaits(world, story.accounts)
  for (const { depositor, quotes } of actors)
    for (const quote of quotes) await untilConfirmed(world, depositor, quote)
  await waitUntilIndexed(service, payer)
  const paid = await exitAll(actors.slice(0, story.exits))

  const seen = await readChain(reader, payer.chain, first, {
    vettingFeeBps: pool.vettingFeeBps,
    serviceFeeBps: 20n,
  })
  const known = seen.flatMap((act): KnownAct[] => {
    const account = actors.findIndex(({ addresses }, place) =>
      act.kind === 'exit' ? paid[place] === act.address : addresses.includes(getAddress(act.address)),
    )
    return account < 0 ? [] : [{ ...act, account }]
  })
  const signersOf = (isRelay: boolean) =>
    new Set(seen.filter(({ kind }) => (kind === 'exit') === isRelay).map(({ signer }) => signer))
  const of = (kind: SeenAct['kind']) => known.filter((act) => act.kind === kind)
  return {
    deposits: linkActs(of('deposit'), of('deposit')),
    payers: linkActs(of('deposit'), of('fresh')),
    exits: story.exits > 1 ? linkActs(of('exit'), of('deposit')) : [],
    signers: { sends: signersOf(false), relays: signersOf(true) },
    hours,
    acts: known.length,
  }
}

/** Fees are others at a full hour, expiries five minutes later. */
function countHours(from: number, to: number): number {
  const hoursUntil = (time: number) => Math.floor(time / 3_600_000)
  return [0, 300_000].reduce((sum, after) => sum + hoursUntil(to - after) - hoursUntil(from - after), 0)
}

/** A price of its own for each quote, as on a chain that is used. */
async function moveGasPrice(world: DepositWorld): Promise<void> {
  const baseFee = parseGwei('20') + randomPart(parseGwei('0.5'))
  await ask(world, 'anvil_setNextBlockBaseFeePerGas', toHex(baseFee))
  await ask(world, 'anvil_mine', '0x1')
  await waitUntilIndexed(world.service, world.payer)
}

/** Shortens waits to seconds and keeps their order: only the number of others in between counts. */
const shortenWaits = ({ service }: DepositWorld, shortenedSeconds: number) =>
  service.database.pool.query(sql.typeAlias('void')`
    with longest as (select max(not_before) - now() as wait from intent where status = 'queued')
    update intent set not_before = now() + (not_before - now()) * least(1, ${shortenedSeconds} / extract(epoch from wait))
    from longest where status = 'queued' and not_before > now() and wait > interval '0'`)

const ask = ({ payer }: DepositWorld, method: string, ...params: unknown[]) =>
  payer.wallet.reader.request({ method, params } as never)

async function openActor(world: DepositWorld, pool: Awaited<ReturnType<typeof readPool>>): Promise<Actor> {
  const depositor = await world.openDepositor()
  const addresses: Address[] = []
  for (let count = 0; count < 3; count += 1) {
    const address = getAddress((await depositor.client.receive()).address)
    // Two together have more than any deposit and its fees, one alone has less.
    await world.payer.payNative(address, parseEther('1.05') + randomPart(parseEther('0.85')))
    addresses.push(address)
  }
  const view = createPoolView(depositor.client, pool, world.payer.wallet.reader)
  return { depositor, view, addresses, quotes: [] }
}

const randomPart = (whole: bigint) => (whole * BigInt(Math.floor(Math.random() * 1e9))) / 10n ** 9n

/** Deposits a round amount, for which one address does not suffice. */
const convertTurn = (actor: Actor) => async () => {
  const { depositor, view, addresses } = actor
  const amount = parseEther('2.01') - parseEther('0.01') * BigInt(1 + Math.floor(Math.random() * 10))
  const [one, other] = addresses
  const spendableAddresses = [one!, other!]
  const quote = await askConversion(depositor.client, { view, amount, notes: 2, spendableAddresses })
  await submit(actor, quote)
}

/** Pays for wrapped coins, which arrive at a fresh address. */
const payTurn = (world: DepositWorld, actor: Actor) => async () => {
  const { chainId, wrappedNative } = world.payer.chain
  const quote = await actor.depositor.quote({
    type: 'swap',
    chainId,
    tokenIn: zeroAddress,
    tokenOut: wrappedNative,
    amountIn: String(parseEther('0.1') + randomPart(parseEther('0.5'))),
    singleAddress: actor.addresses[2],
  })
  await submit(actor, quote)
}

async function submit({ depositor, quotes }: Actor, quote: Quote): Promise<void> {
  const { status, body } = await depositor.post('/submit', await depositor.sign(quote))
  if (status !== 200) throw new Error(JSON.stringify(body))
  quotes.push(quote)
}

async function untilConfirmed(world: DepositWorld, depositor: Depositor, { quoteId }: Quote): Promise<void> {
  for (const deadline = Date.now() + 400_000; ; await sleep(500)) {
    const status = await world.statusOf(depositor, quoteId)
    if (status === 'confirmed') return
    if (status === 'failed' || Date.now() > deadline) throw new Error(`a quote is ${status}`)
  }
}

/** @returns The paid addresses, by actor. */
async function exitAll(actors: readonly Actor[]): Promise<Address[]> {
  if (actors.length === 0) return []
  const prover = startProver()
  try {
    const paid: Address[] = []
    for (const { depositor, view } of actors) {
      const recipient = privateKeyToAddress(generatePrivateKey())
      await spendBlindly(depositor.client, { view, amount: EXIT, recipient, maxFee: EXIT, prover })
      paid.push(recipient)
    }
    return paid
  } finally {
    await prover.close()
  }
}
