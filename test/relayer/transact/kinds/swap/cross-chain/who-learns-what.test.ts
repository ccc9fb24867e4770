import { isAddressEqual, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../../db/connect-database.ts'
import { ROUTE_QUOTES_CODE } from '../../../../../../relayer/transact/venues/swap/uniswap/route-quotes-code.ts'
import { quote as quoteShape } from '../../../../../../schema/transact/quote-model.ts'
import { relayStatus } from '../../../../../../schema/transact/submit-model.ts'
import { waitUntilIndexed } from '../../../../../harness/chain-actors.ts'
import { countRpc, type RpcCounter } from '../../../../../harness/count-rpc.ts'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { startBridgeWorld, type BridgeWorld } from './start-bridge-world.ts'

/** Requests to the nodes of one chain: the one for reading, and the one for private transactions. */
interface RecordedChain {
  read: RpcCounter
  sent: RpcCounter
}

const AMOUNT = parseEther('100')
/** Nodes are slow on a busy machine. */
const PATIENCE_MS = 30_000
const SENDING = 'eth_sendRawTransaction'
/** Asked on every new connection: whether the node is of the chain. */
const CONNECTING = new Set(['eth_chainId'])
const recorded: RecordedChain[] = []
/** Addresses of the account without 0x, by the names that the tests use. */
const nameOf = new Map<string, string>()
let world: BridgeWorld
let alice: WalletSender

beforeAll(async () => {
  world = await startBridgeWorld({
    async connect(chain, place) {
      const [url = ''] = chain.rpcUrls
      const [read, sent] = await Promise.all([countRpc(url), countRpc(url)])
      recorded[place] = { read, sent }
      if (!chain.relayer) throw new Error('the chain has no relayer')
      const { across } = chain.venues
      return {
        ...chain,
        rpcUrls: [read.url],
        relayer: { ...chain.relayer, privateRpcUrls: [sent.url] },
        venues: { ...chain.venues, ...(across && { across: { ...across, timeoutMs: PATIENCE_MS } }) },
      }
    },
  })
  alice = await world.openSender()
  const auth = await world.service.database.pool.oneFirst(sql.type(z.object({ address: z.string() }))`
    select auth_address as address from account where id = ${alice.client.accountId}::uuid`)
  nameOf.set(keyOf(auth), 'auth address')
  // The smallest sufficient address pays; the others are there so that requests could name them.
  const funded = await alice.receiveAll(world.origin.euro, [
    parseEther('300'),
    parseEther('500'),
    AMOUNT / 2n,
  ])
  for (const [place, address] of funded.entries())
    nameOf.set(keyOf(address), ['payer', 'other', 'small'][place]!)
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  for (const { read, sent } of recorded) await Promise.all([read.close(), sent.close()])
})
beforeEach(async () => {
  await settle()
  look()
})

const keyOf = (address: string) => address.slice(2).toLowerCase()
const settle = async () => {
  await waitUntilIndexed(world.service, world.origin.payer)
  await waitUntilIndexed(world.service, world.destination.payer)
}

/** The sets of the account's addresses that single requests name, without repetition. */
function combinationsIn(requests: readonly string[]): string[] {
  const namesIn = (request: string) =>
    [...nameOf].flatMap(([key, name]) => (request.toLowerCase().includes(key) ? [name] : [])).toSorted()
  return [...new Set(requests.map((request) => namesIn(request).join(' + ')))]
    .filter((names) => names !== '')
    .toSorted()
}

/** Returns the requests to each party since the last call. */
function look() {
  const [origin, destination] = recorded
  if (!origin || !destination) throw new Error('nothing was recorded')
  const fees = world.fees.asked.splice(0)
  const read = origin.read.takeBodies()
  return {
    originNode: combinationsIn(read),
    originPrivate: combinationsIn(origin.sent.takeBodies()),
    destinationNode: combinationsIn(destination.read.takeBodies()),
    feesService: combinationsIn(fees.map(({ everything }) => everything)),
    fees: fees.map(({ target }) => Object.fromEntries(target.searchParams)),
    /** Price requests. */
    pathsAsked: read.filter((request) => request.includes(ROUTE_QUOTES_CODE.slice(0, 200))),
    methods: {
      read: [...origin.read.take(), ...destination.read.take()].flat(),
      sent: origin.sent.take().flat(),
      sentThere: [...destination.sent.take(), ...destination.sent.takeBodies()].flat(),
    },
  }
}

async function preview(body: Record<string, unknown>): Promise<void> {
  const answer = await alice.post('/swap-preview', body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
}

async function quoteAndName(body: Record<string, unknown>) {
  const quote = await alice.quote(body)
  const { outputRecipient, selectedFundingSources } = quoteShape.parse(quote)
  if (!outputRecipient) throw new Error('the quote names no recipient')
  expect(selectedFundingSources.map(({ address }) => nameOf.get(keyOf(address)))).toEqual(['payer'])
  for (const [key, name] of nameOf) if (name === 'recipient') nameOf.delete(key)
  nameOf.set(keyOf(outputRecipient), 'recipient')
  return quote
}

async function submit(quote: Awaited<ReturnType<WalletSender['quote']>>): Promise<void> {
  const submitted = await alice.post('/submit', await alice.sign(quote))
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 200 })
  const statusOf = async () =>
    relayStatus.parse((await alice.get(`/relay-status/${quote.quoteId}`)).body).status
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('confirmed')
  await settle()
}

const swapOf = (changes: Record<string, unknown>) => {
  const { chainId, euro } = world.origin
  return { type: 'swap', chainId, tokenIn: euro, amountIn: String(AMOUNT), ...changes }
}
/** The transaction itself makes both public. */
const JOINED = 'payer + recipient'
const KNOWN_OF_SUBMISSION = ['payer', JOINED, 'recipient']

it('a quote of a swap reveals to the node who pays, its submission the fresh recipient too, and no service learns anything', async () => {
  const body = swapOf({ tokenOut: world.origin.dollar })
  await preview(body)
  const previewed = look()
  // Each in a request of its own, as the indexer asks; the recipient is a stand-in.
  for (const names of previewed.originNode) expect(['payer', 'other']).toContain(names)
  expect(previewed).toMatchObject({ originPrivate: [], destinationNode: [], feesService: [], fees: [] })

  const quote = await quoteAndName(body)
  const quoted = look()
  // A stand-in for the recipient is paid in the run.
  const nothing = { originPrivate: [], destinationNode: [], feesService: [], fees: [] }
  expect(quoted).toMatchObject({ originNode: ['payer'], ...nothing })
  // A price request names a pair and an amount.
  expect(previewed.pathsAsked.length + quoted.pathsAsked.length).toBeGreaterThan(0)
  expect(combinationsIn([...previewed.pathsAsked, ...quoted.pathsAsked])).toEqual([])

  await submit(quote)
  const submitted = look()
  for (const names of submitted.originNode) expect(KNOWN_OF_SUBMISSION).toContain(names)
  expect(submitted).toMatchObject({ ...nothing, originPrivate: [JOINED] })
  expect(new Set(submitted.methods.sent).difference(CONNECTING)).toEqual(new Set([SENDING]))
  for (const { methods } of [previewed, quoted, submitted]) expect(methods.read).not.toContain(SENDING)
})

it('for another chain, a quote names a stand-in to the bridge’s service and nothing to the node; submission names the recipient alone', async () => {
  const { origin, destination } = world
  const body = swapOf({ tokenOut: destination.euro, tokenOutChainId: destination.chainId })
  await preview(body)
  const previewed = look()
  for (const names of previewed.originNode) expect(['payer', 'other']).toContain(names)
  expect(previewed).toMatchObject({ originPrivate: [], destinationNode: [], feesService: [] })

  const quote = await quoteAndName(body)
  const quoted = look()
  expect(quoted).toMatchObject({
    originNode: ['payer'],
    originPrivate: [],
    destinationNode: [],
    feesService: [],
  })

  await submit(quote)
  const submitted = look()
  for (const names of submitted.originNode) expect(KNOWN_OF_SUBMISSION).toContain(names)
  for (const names of submitted.destinationNode) expect(names).toBe('recipient')
  expect(submitted).toMatchObject({ originPrivate: [JOINED], feesService: [] })
  expect(new Set(submitted.methods.sent).difference(CONNECTING)).toEqual(new Set([SENDING]))
  expect(new Set(submitted.methods.sentThere).difference(CONNECTING)).toEqual(new Set())
  for (const { methods } of [previewed, quoted, submitted]) expect(methods.read).not.toContain(SENDING)

  const fees = [...previewed.fees, ...quoted.fees, ...submitted.fees]
  for (const {
    originChainId,
    destinationChainId,
    inputToken,
    outputToken,
    amount,
    recipient,
    message,
    ...more
  } of fees) {
    expect(more).toEqual({})
    expect([Number(originChainId), Number(destinationChainId)]).toEqual([origin.chainId, destination.chainId])
    expect([origin.dollar, origin.wrapped]).toContain(inputToken)
    expect([destination.dollar, destination.wrapped]).toContain(outputToken)
    expect(amount).toMatch(/^[1-9]\d*$/)
    expect(recipient && isAddressEqual(recipient as never, destination.across.multicallHandler)).toBe(true)
    expect(message).toMatch(/^0x/)
  }
  // The stand-in message is as long as the signed one and never names its recipient; each request has another stand-in.
  const deposit = await world.findDeposit()
  const told = fees.map(({ message = '' }) => message)
  expect(combinationsIn([deposit.message])).toEqual(['recipient'])
  expect(told.map(({ length }) => length)).toContain(deposit.message.length)
  expect(told).not.toContain(deposit.message)
  expect(new Set(told).size).toBe(told.length)
})
