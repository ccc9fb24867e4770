import { setTimeout as sleep } from 'node:timers/promises'
import { parseUnits } from 'viem'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import { checkSend } from '../../../../schema/client/quotes/check-send.ts'
import { decodeCalls } from '../../../../schema/client/chain/decode-call.ts'
import {
  askQuote,
  send,
  signAndSubmit,
  type Quote,
  type SendOptions,
} from '../../../../schema/client/quotes/send.ts'
import { isRefusal } from '../../../../schema/client/requests/service-refusal.ts'
import { showCall } from '../../../../schema/client/provider/show-call.ts'
import { readBalances, readChain, waitUntilEqual } from './compare-balances.ts'
import { DemoError } from './demo-error.ts'
import { formatMoney } from './format-money.ts'
import { openPayer } from './open-payer.ts'
import type { DemoWorld } from './open-world.ts'

const ORIGINS_PATIENCE_MS = 30_000

/** A pays B more than any one of its addresses holds, and B pays a part of it back. */
export async function playSend({ url, domain, chain, chains, keys, terminal }: DemoWorld): Promise<void> {
  terminal.heading('Send', 'from several one-time addresses at once, without gas on any of them')
  const payer = openPayer(chain, keys.payer)
  const { chainId } = chain
  const dollar = chain.tokens.find(({ decimals }) => decimals === 6)
  if (!dollar) throw new DemoError('The devnet lacks a token of 6 decimals')
  const token = dollar.address
  const money = (amount: bigint) => formatMoney(amount, dollar)
  const usd = (amount: string) => parseUnits(amount, dollar.decimals)
  const reader = { chainId, reader: payer.reader }

  const [a, b] = await terminal.step('A and B sign in and create accounts', () =>
    Promise.all([openNewClient({ url, domain, chains }), openNewClient({ url, domain, chains })]),
  )
  await terminal.step(
    `somebody pays A ${money(usd('40'))}, ${money(usd('50'))} and ${money(usd('60'))}`,
    async () => {
      for (const amount of ['40', '50', '60'])
        await payer.payToken(token, (await a.receive()).address, usd(amount))
      await waitUntilEqual(a, reader, [token])
    },
  )
  const before = await readChain(a, payer.reader, token)

  const amount = usd('120')
  const { address: destination } = await b.receive()
  // A wallet shows these fees, and its user agrees; these users agree to two dollars, and to joining three addresses.
  const asked = { chainId, token, amount, destination, maxFee: usd('2'), maxAddresses: 3 }
  const quote = await terminal.step(`A asks for a quote to pay ${money(amount)} to ${destination}`, () =>
    askOnceOriginsAreKnown(a, asked),
  )
  for (const { address, amount } of quote.selectedFundingSources)
    terminal.detail('taken from', `${address}, ${money(BigInt(amount))}`)
  for (const { addressCount } of quote.fundingCaveats)
    terminal.detail(
      'beware',
      `no address suffices: the chain will show that these ${addressCount} belong together`,
    )
  terminal.detail('fees', describeFees(quote, money))
  const approved = await terminal.step('A verifies who signed the quote, and what it does', () =>
    checkSend(a, quote, asked),
  )
  for (const shown of await showCalls(quote)) terminal.detail('signs', shown)
  const reserved = (await readBalances(a, chainId)).find(({ tokenAddress }) => tokenAddress === token)
  terminal.detail('pending', `${money(BigInt(reserved?.pending ?? 0))}: reserved, no other quote may take it`)
  terminal.detail('transaction', await signAndSubmit(a, approved, terminal.step))

  await terminal.step('the balances of both are the chain’s, to the wei', async () => {
    await waitUntilEqual(a, reader, [token])
    await waitUntilEqual(b, reader, [token])
  })
  const [left, got] = [await readChain(a, payer.reader, token), await readChain(b, payer.reader, token)]
  terminal.detail(
    'A has',
    `${money(left)} = ${money(before)} − ${money(amount)} − ${money(BigInt(quote.fees.total))} fees`,
  )
  terminal.detail('B has', money(got))
  if (got !== amount || left !== before - BigInt(quote.amountIn))
    throw new DemoError('The sums are wrong: please report this')

  await payBack()
  terminal.note('Nobody needed gas: the fees came out of what was sent.')

  /** Shows each call as A's wallet does, from the service's descriptors. */
  async function showCalls({ intents }: Quote): Promise<string[]> {
    const calls = intents.flatMap(({ eoa, executionData }) =>
      decodeCalls(executionData).map((call) => ({ ...call, chainId, from: eoa })),
    )
    const names = {
      resolveToken: async (_: number, address: string) =>
        address.toLowerCase() === token.toLowerCase() && dollar ? { ...dollar, name: dollar.symbol } : null,
    }
    const shown = await Promise.all(calls.map((call) => showCall(url, call, names)))
    return shown.map((one) => (one ? `${one.intent}: ${one.lines.join(', ')}` : 'what nobody describes'))
  }

  /** The same in one call, of the example. */
  async function payBack(): Promise<void> {
    const { address } = await a.receive()
    const back = { chainId, token, amount: usd('20'), destination: address, maxFee: usd('2') }
    const { txHash } = await terminal.step(`B pays ${money(back.amount)} back`, () => send(b, back))
    terminal.detail('transaction', txHash)
  }
}

/** A balance is known a moment before the origin of the money; until then it is joined with no other. */
async function askOnceOriginsAreKnown(client: Client, asked: SendOptions): Promise<Quote> {
  const end = performance.now() + ORIGINS_PATIENCE_MS
  for (;;) {
    try {
      return await askQuote(client, asked)
    } catch (error) {
      if (!isRefusal(error, 'PROVENANCE_MIX') || performance.now() > end) throw error
    }
    await sleep(500)
  }
}

function describeFees({ fees }: Quote, money: (amount: bigint) => string): string {
  const { network, service, total, waived } = fees
  const ours = waived
    ? 'none for the service, which lets new accounts off'
    : `${money(BigInt(service))} for the service`
  return `${money(BigInt(total))}: ${money(BigInt(network))} for gas, ${ours}`
}
