import { setTimeout as sleep } from 'node:timers/promises'
import { getIntrospectionQuery } from 'graphql'
import { zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { askNode } from '../../harness/ask-node.ts'
import { call } from '../../harness/call.ts'
import type { Payer } from '../../harness/chain-actors.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'
import { relayBody } from '../../harness/relay-requests.ts'
import type { TestService } from '../../harness/start-service.ts'
import { openAccount } from '../../relayer/account/open-account.ts'
import { describeCall } from '../../relayer/chain/indexer/chain-calls.ts'
import { deployHostileToken } from '../../relayer/chain/indexer/hostile-token.ts'
import { createBurners, type Mode } from '../../relayer/chain/unpaid-gas/create-burners.ts'
import { openWalletSender } from '../../relayer/transact/submissions/open-wallet-sender.ts'
import { loadRelayVectors } from '../../vectors/load-relay-vectors.ts'

/** Where attackers are. */
export interface Field {
  urls: readonly string[]
  /** The nodes themselves, by chain. */
  nodes: readonly string[]
  payer: Payer
  database: TestService['database']
  /** Addresses of honest accounts. */
  victims(): readonly Address[]
  /** What attackers did, by kind. */
  counts: Record<string, number>
  signal: AbortSignal
}

/** One of many of its kind. */
type Attacker = (field: Field, place: number) => Promise<void>

const MODES: readonly Mode[] = ['gasPrice', 'baseFee', 'origin', 'coinbase']
const COIN = 10n ** 15n
const GRIEF_MS = 300
const note = ({ counts }: Field, what: string) => (counts[what] = (counts[what] ?? 0) + 1)
const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined)

const wordOf = (error: unknown) => /[A-Z]+_[A-Z_]+/.exec(String(error))?.[0] ?? String(error).slice(0, 80)

/** Tries until the field is left; whatever fails is tried again. */
async function keepOn(field: Field, what: string, attempt: () => Promise<unknown>): Promise<void> {
  while (!field.signal.aborted) {
    await attempt().then(
      () => note(field, what),
      (error: unknown) => note(field, `${what}: ${wordOf(error)}`),
    )
    await pause(GRIEF_MS, field.signal)
  }
}

/** Sends to recipients that burn all gas in the block. */
const burnBySends: Attacker = async (field, place) => {
  const { payer, urls, nodes, database } = field
  const burners = await createBurners(nodes[0]!)
  const headers = { 'x-forwarded-for': `172.17.${place}.1` }
  const thief = await openWalletSender({ url: urls[0]!, database }, payer, [payer.chain], headers)
  const { address } = await thief.client.receive()
  await payer.payNative(address, 100n * COIN)
  let turn = place
  await keepOn(field, 'burning sends', async () => {
    const recipient = privateKeyToAddress(generatePrivateKey())
    await burners.arm(recipient, MODES[turn++ % MODES.length]!)
    const quote = await thief.quote({
      token: zeroAddress,
      amount: String(COIN),
      destinationAddress: recipient,
      acknowledgedContractRecipient: recipient,
    })
    const { status } = await thief.post('/submit', await thief.sign(quote), headers)
    if (status === 200) note(field, 'burning sends, taken')
    else await thief.post('/unlock', { quoteId: quote.quoteId }, headers)
  })
}

/** Withdraws to such recipients. */
const burnByRelays: Attacker = async (field, place) => {
  const burners = await createBurners(field.nodes[0]!)
  const vector = loadRelayVectors().relays[place]!
  const body = await relayBody(vector)
  let turn = place
  await keepOn(field, 'burning relays', async () => {
    await burners.arm(vector.recipient, MODES[turn++ % MODES.length]!)
    const answer = await call(`${field.urls[turn % field.urls.length]}/relayer/request`, {
      method: 'POST',
      body,
      headers: { 'x-forwarded-for': `172.18.${place}.1` },
    })
    if (answer.json?.['success'] === true) note(field, 'burning relays, taken')
  })
}

/** An account that costs nothing: it asks for all that it may. */
const useFreeAccount: Attacker = async (field, place) => {
  const { urls, signal } = field
  const url = urls[place % urls.length]!
  let account = await openAccount(url).catch(() => null)
  while (account === null && !signal.aborted) {
    await pause(1_000, signal)
    account = await openAccount(url).catch(() => null)
  }
  if (account === null) return
  note(field, 'free accounts')
  const { send, path } = account
  const address = privateKeyToAddress(generatePrivateKey())
  await keepOn(field, 'greedy rounds', () =>
    Promise.all([
      send('POST', `${path}/payment-address`, {}),
      send('POST', `${path}/activities/search`, { address }),
      send('GET', `${path}/address-balances`),
      send('GET', `${path}/activities`),
      send('POST', `${path}/quote`, {
        type: 'send',
        chainId: field.payer.chain.chainId,
        token: zeroAddress,
        amount: '1',
        destinationAddress: address,
      }),
      send('POST', `${path}/quote`, '{'.repeat(10_000)),
    ]),
  )
}

const LONG = rawPost('/graphql', JSON.stringify({ query: getIntrospectionQuery() }))

/** Asks for much and reads a little, or nothing. */
const readSlowly: Attacker = (field, place) =>
  keepOn(field, 'slow readers', async () => {
    const { socket, send } = await openConnection(field.urls[place % field.urls.length]!)
    socket.pause()
    const from = `x-forwarded-for: 172.19.${place}.1\r\n`
    send(LONG.replace('\r\n\r\n', `\r\n${from}\r\n`).repeat(30))
    for (let taken = 0; taken < 10 && !field.signal.aborted && !socket.closed; taken += 1) {
      await pause(2_000, field.signal)
      socket.read(4_096)
    }
    socket.destroy()
  })

/** Logs transfers of tokens that lie about balances, or answer with a megabyte, to everybody. */
const dropTokens: Attacker = async (field, place) => {
  const node = field.nodes[place % field.nodes.length]!
  const world = {
    ask: <Result>(method: string, ...params: unknown[]) => askNode<Result>(node, method, ...params),
  }
  const tokens = [
    await deployHostileToken(world, { word: 2n ** 256n - 1n }),
    await deployHostileToken(world, { word: 10n ** 30n, size: 700_000 }),
  ]
  await keepOn(field, 'hostile drops', async () => {
    const victims = field.victims()
    if (victims.length === 0) return
    for (const token of tokens)
      await world.ask('eth_sendTransaction', describeCall(token.drop(victims.slice(-5), 10n ** 30n)))
  })
}

export interface Crowd {
  senders: number
  relays: number
  accounts: number
  readers: number
}

/** Lets them all come; ends with the field's signal. */
export async function attack(field: Field, { senders, relays, accounts, readers }: Crowd): Promise<void> {
  const many = (count: number, attacker: Attacker) =>
    Array.from({ length: count }, (_, place) =>
      attacker(field, place).catch(
        (error: unknown) => void note(field, `gave up: ${String(error).slice(0, 80)}`),
      ),
    )
  await Promise.all([
    ...many(senders, burnBySends),
    ...many(relays, burnByRelays),
    ...many(accounts, useFreeAccount),
    ...many(readers, readSlowly),
    ...many(field.nodes.length, dropTokens),
  ])
}
