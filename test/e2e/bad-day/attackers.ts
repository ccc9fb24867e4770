import { getIntrospectionQuery } from 'graphql'
import { zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { askNode } from '../../harness/ask-node.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'
import { openAccount } from '../../relayer/account/open-account.ts'
import { describeCall } from '../../relayer/chain/indexer/chain-calls.ts'
import { deployHostileToken, type HostileToken } from '../../relayer/chain/indexer/hostile-token.ts'
import { burnByRelays, type Thief } from './burn-gas.ts'
import { keepOn, note, pause, type Field } from './field.ts'

/** One of many of its kind. */
type Attacker = (field: Field, place: number, crowd: Crowd) => Promise<void>

export interface Crowd {
  /** Accounts that pay contracts which burn gas; as many call them as an app. */
  thieves: number
  /** Clients that withdraw notes to such contracts. */
  relays: number
  accounts: number
  /** Between two rounds of such an account, each of six requests. Milliseconds. */
  roundMs: number
  readers: number
}

/** An account that costs nothing: it asks for all that it may. */
const useFreeAccount: Attacker = async (field, place, { roundMs }) => {
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
  await keepOn(
    field,
    'greedy rounds',
    () =>
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
    roundMs,
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

/** Of a chain, made in blocks of their own. */
export async function deployHostileTokens(node: string): Promise<readonly HostileToken[]> {
  const world = {
    ask: <Result>(method: string, ...params: unknown[]) => askNode<Result>(node, method, ...params),
  }
  return [
    await deployHostileToken(world, { word: 2n ** 256n - 1n }),
    await deployHostileToken(world, { word: 10n ** 30n, size: 700_000 }),
  ]
}

/** Logs transfers of such tokens to everybody. */
const dropTokens: Attacker = (field, place) =>
  keepOn(field, 'hostile drops', async () => {
    const victims = field.victims()
    if (victims.length === 0) return
    for (const token of field.hostileTokens[place]!) {
      const drop = describeCall(token.drop(victims.slice(-5), 10n ** 30n))
      await askNode(field.nodes[place]!, 'eth_sendTransaction', drop)
    }
  })

/** Lets them all come; ends with the field's signal. */
export async function attack(field: Field, crowd: Crowd, thieves: readonly Thief[]): Promise<void> {
  const { relays, accounts, readers } = crowd
  const many = (count: number, attacker: Attacker) =>
    Array.from({ length: count }, (_, place) =>
      attacker(field, place, crowd).catch((error: unknown) =>
        note(field, `gave up: ${String(error).slice(0, 80)}`),
      ),
    )
  await Promise.all([
    ...many(thieves.length, (_, place) => thieves[place]!.burn(field)),
    ...many(relays, (_, place) => burnByRelays(field, place, relays)),
    ...many(accounts, useFreeAccount),
    ...many(readers, readSlowly),
    ...many(field.nodes.length, dropTokens),
  ])
}
