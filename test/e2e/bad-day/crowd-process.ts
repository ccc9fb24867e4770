import { getIntrospectionQuery } from 'graphql'
import { zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'
import { openAccount } from '../../relayer/account/open-account.ts'
import type { FreeCrowd } from './crowd.ts'
import { keepOn, note, pause, type Field } from './field.ts'

type Place = Pick<Field, 'urls' | 'counts' | 'signal'>

/** An account that costs nothing: it asks for all that it may. */
async function useFreeAccount(field: Place, place: number, { chainId, roundMs }: FreeCrowd): Promise<void> {
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
  const terms = { type: 'send', chainId, token: zeroAddress, amount: '1', destinationAddress: address }
  await keepOn(
    field,
    'greedy rounds',
    () =>
      Promise.all([
        send('POST', `${path}/payment-address`, {}),
        send('POST', `${path}/activities/search`, { address }),
        send('GET', `${path}/address-balances`),
        send('GET', `${path}/activities`),
        send('POST', `${path}/quote`, terms),
        send('POST', `${path}/quote`, '{'.repeat(10_000)),
      ]),
    roundMs,
  )
}

const LONG = rawPost('/graphql', JSON.stringify({ query: getIntrospectionQuery() }))

/** Asks for much and reads a little, or nothing. */
const readSlowly = (field: Place, place: number) =>
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

const crowd = JSON.parse(process.argv[2]!) as FreeCrowd
const ending = new AbortController()
const field: Place = { urls: crowd.urls, counts: {}, signal: ending.signal }
const many = (count: number, attacker: typeof useFreeAccount) =>
  Array.from({ length: count }, (_, place) =>
    attacker(field, place, crowd).catch((error: unknown) =>
      note(field, `gave up: ${String(error).slice(0, 80)}`),
    ),
  )
process.once('disconnect', () => process.exit())
process.once('message', () => ending.abort())
await Promise.all([...many(crowd.accounts, useFreeAccount), ...many(crowd.readers, readSlowly)])
process.send!(field.counts, () => process.exit())
