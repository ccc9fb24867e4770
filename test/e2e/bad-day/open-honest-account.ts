import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, erc20Abi, http, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { z } from 'zod'
import type { DescribedChain } from '../../devnet/devnet-description.ts'
import { call, type Answered } from '../../harness/call.ts'
import { relayBody } from '../../harness/relay-requests.ts'
import { signUnchecked } from '../../harness/sign-unchecked.ts'
import type { RelayVector } from '../../vectors/load-relay-vectors.ts'
import { openNewClient } from '../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../schema/client/quotes/send.ts'
import { knownOf } from '../examples/demo/known-of.ts'

const sheet = z.object({
  balances: z.array(
    z.object({
      chainId: z.number(),
      token: z.string(),
      visible: z.object({ available: z.string(), pending: z.string() }),
    }),
  ),
})
const swapped = z.object({ outputRecipient: z.custom<Address>(), minimumOutput: z.coerce.bigint() })

/** A recipient's gain once a quote is confirmed. */
interface Promised {
  chain: DescribedChain
  token: Address
  to: Address
  least: bigint
}

/** Acts of honest clients, and milliseconds until each answer, retries included. */
export interface Diary {
  counts: Record<string, number>
  durations: { quote: number[]; balance: number[]; address: number[] }
}

export const newDiary = (): Diary => ({ counts: {}, durations: { quote: [], balance: [], address: [] } })

function codeOf({ status, json }: Answered): string {
  const code = json?.['code']
  return typeof code === 'string' ? code : String(status)
}

/** Pays from a rich account. */
export type Pay = (chain: DescribedChain, token: Address, to: Address, amount: bigint) => Promise<unknown>

export type HonestAccount = Awaited<ReturnType<typeof openHonestAccount>>

/** The end of a quote or relay. */
export interface End {
  what: 'send' | 'swap' | 'relay'
  status: 'confirmed' | 'failed'
}

/** Funded addresses for each token of each chain. */
const FUNDED = 3
/** So many smallest parts of it are paid by them. */
const FUND_UNITS = 1_000n
const TRIES = 5
/** Milliseconds between two rounds, which hold an account below its limits by the minute. */
const ROUND_MS = 3_000
const SWAP_EVERY = 3
const RELAY_EVERY = 4

/**
 * Opens an account in a network of its own that is paid, quotes, sends, swaps, withdraws and reads. It asks another
 * instance when one is gone, and comes again when the service says so.
 * @param notes Withdrawals that it may have relayed; it takes them from the list.
 */
export async function openHonestAccount(
  urls: readonly string[],
  place: number,
  chains: readonly DescribedChain[],
  pay: Pay,
  notes: RelayVector[],
) {
  const headers = { 'x-forwarded-for': `172.16.${place}.1` }
  const client = await openNewClient({ url: urls[0]!, chains: chains.map(knownOf), headers })
  const home = `/v1/accounts/${client.accountId}`
  const owned: Address[] = []
  const open = new Map<string, End['what']>()
  const promised = new Map<string, Promised>()
  let diary = newDiary()
  let turn = place

  const note = (what: string) => (diary.counts[what] = (diary.counts[what] ?? 0) + 1)

  async function ask(method: string, path: string, body?: unknown, key?: string): Promise<Answered> {
    for (;;) {
      const answer = await call(`${urls[turn % urls.length]}${path}`, {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${client.token}`,
          ...(key && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body }),
      }).catch(() => null)
      const isLost = answer === null || answer.status >= 500
      if (!isLost && answer.status !== 429) return answer
      note(`came again: ${answer === null ? 'no answer' : codeOf(answer)}`)
      if (isLost) turn += 1
      await sleep(200)
    }
  }

  async function timed(list: number[], asking: () => Promise<Answered>): Promise<Answered> {
    const from = performance.now()
    const answer = await asking()
    list.push(performance.now() - from)
    return answer
  }

  const tokensOf = (chain: DescribedChain) => [zeroAddress, chain.tokens[0]!.address]
  const unitOf = (token: Address) => (token === zeroAddress ? 10n ** 15n : 10n ** 6n)

  async function receive(): Promise<Address> {
    const key = crypto.randomUUID()
    const { json } = await timed(diary.durations.address, () =>
      ask('POST', `${home}/payment-address`, {}, key),
    )
    const { address, nonce } = z.object({ address: z.custom<Address>(), nonce: z.string() }).parse(json)
    if (client.controlOf(nonce).address !== address) throw new Error('an address is not of the account')
    owned.push(address)
    return address
  }

  /** Gets an address and is paid there, on a chain and in a token by turns. */
  async function bePaid(): Promise<void> {
    const address = await receive()
    const chain = chains[owned.length % chains.length]!
    const token = tokensOf(chain)[Math.floor(owned.length / chains.length) % 2]!
    await pay(chain, token, address, unitOf(token)).then(
      () => note('paid'),
      () => note('payment not sent'),
    )
  }

  /** Gets a quote and submits it, and another one where the service says that it is too old or cannot be had. */
  async function spend(
    what: 'send' | 'swap',
    terms: Record<string, unknown>,
    promiseOf: (quote: unknown) => Promised,
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const key = crypto.randomUUID()
      const quoted = await timed(diary.durations.quote, () => ask('POST', `${home}/quote`, terms, key))
      if (quoted.status !== 200 && quoted.status !== 201) {
        note(`no ${what}: ${codeOf(quoted)}`)
        continue
      }
      const quote = quoted.json as unknown as Quote
      const submitted = await ask('POST', `${home}/submit`, await signUnchecked(client, quote))
      if (submitted.status === 200) {
        open.set(quote.quoteId, what)
        promised.set(quote.quoteId, promiseOf(quoted.json))
        return void note(what)
      }
      note(`no ${what}: ${codeOf(submitted)}`)
      const unlocked = await ask('POST', `${home}/unlock`, { quoteId: quote.quoteId })
      if (unlocked.status !== 200) note(`not unlocked: ${codeOf(unlocked)}`)
    }
  }

  /** Sends a part of one address's funds. */
  async function send(chain: DescribedChain, token: Address): Promise<void> {
    const to = privateKeyToAddress(generatePrivateKey())
    const least = unitOf(token)
    const terms = {
      type: 'send',
      chainId: chain.chainId,
      token,
      amount: String(least),
      destinationAddress: to,
    }
    await spend('send', terms, () => ({ chain, token, to, least }))
  }

  /** Gets euros at an address of its own. */
  async function swap(chain: DescribedChain): Promise<void> {
    const [dollar, euro] = chain.tokens.map(({ address }) => address)
    const amountIn = String(unitOf(dollar!))
    const terms = { type: 'swap', chainId: chain.chainId, tokenIn: dollar, tokenOut: euro, amountIn }
    await spend('swap', terms, (quote) => {
      const { outputRecipient: to, minimumOutput: least } = swapped.parse(quote)
      owned.push(to)
      return { chain, token: euro!, to, least }
    })
  }

  async function relay(): Promise<void> {
    const vector = notes.pop()
    if (!vector) return
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { json } = await ask('POST', '/relayer/request', await relayBody(vector))
      if (json?.['success'] === true) {
        open.set(String(json['requestId']), 'relay')
        return void note('relay')
      }
      note(`no relay: ${String(json?.['error'] ?? json?.['code']).slice(0, 60)}`)
      await sleep(ROUND_MS / TRIES)
    }
  }

  async function look(): Promise<void> {
    const { status } = await timed(diary.durations.balance, () => ask('GET', `${home}/balance`))
    expect(status).toBe(200)
    note('read')
  }

  function amountsOf(chain: DescribedChain, token: Address, addresses: readonly Address[]) {
    const reader = createPublicClient({ transport: http(chain.rpcUrl, { batch: true }) })
    const read = (address: Address) =>
      token === zeroAddress
        ? reader.getBalance({ address })
        : reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
    return Promise.all(addresses.map(read))
  }

  /** Balances by the API and by the chain, one line for each chain and token, with pending ones. */
  async function books(): Promise<{ api: string[]; chain: string[] }> {
    const { balances } = sheet.parse((await ask('GET', `${home}/balance`)).json)
    const ofChain: string[] = []
    const ofApi: string[] = []
    for (const chain of chains)
      for (const token of [zeroAddress, ...chain.tokens.slice(0, 2).map(({ address }) => address)]) {
        const amounts = await amountsOf(chain, token, owned)
        const name = `${chain.chainId} ${token}`
        ofChain.push(`${name}: ${amounts.reduce((sum, amount) => sum + amount, 0n)} and 0`)
        const told = balances.find(
          (one) => one.chainId === chain.chainId && one.token.toLowerCase() === token.toLowerCase(),
        )?.visible
        ofApi.push(`${name}: ${told?.available ?? '0'} and ${told?.pending ?? '0'}`)
      }
    return { api: ofApi, chain: ofChain }
  }

  const pathOf = (id: string, what: End['what']) =>
    what === 'relay' ? `/relayer/request/${id}` : `${home}/relay-status/${id}`

  return {
    owned,
    books,
    /** Is paid enough for the day; the next blocks have it. */
    async beFunded(): Promise<void> {
      for (const chain of chains)
        for (const token of tokensOf(chain))
          for (let count = 0; count < FUNDED; count += 1)
            await pay(chain, token, await receive(), FUND_UNITS * unitOf(token))
    },
    /** Goes on until the signal, for one round at least. */
    async live(of: Diary, signal: AbortSignal): Promise<void> {
      diary = of
      for (let round = 0; round === 0 || !signal.aborted; round += 1) {
        await bePaid()
        await look()
        const chain = chains[(place + round) % chains.length]!
        await send(chain, tokensOf(chain)[Math.floor(round / chains.length) % 2]!)
        if (round % SWAP_EVERY === place % SWAP_EVERY) await swap(chains[0]!)
        if (round % RELAY_EVERY === 0) await relay()
        await look()
        await ask('GET', `${home}/activities`)
        await sleep(ROUND_MS, undefined, { signal }).catch(() => undefined)
      }
    },
    /** How all that was submitted ended; waits for it. */
    async ends(): Promise<End[]> {
      const ends: End[] = []
      for (const [id, what] of open) {
        const readEnd = async () => {
          const { json } = await ask('GET', pathOf(id, what))
          return z.enum(['confirmed', 'failed']).safeParse(json?.['status']).data
        }
        const patience = { timeout: 180_000, interval: 1_000, message: `${what} ${id}` }
        await expect.poll(readEnd, patience).toBeDefined()
        ends.push({ what, status: (await readEnd())! })
      }
      return ends
    },
    /** Quotes that are confirmed and gave less than they promised; once every block was read there are none. */
    async listBroken(): Promise<Record<string, unknown>[]> {
      const broken: Record<string, unknown>[] = []
      for (const [id, { chain, token, to, least }] of promised) {
        const [amount = 0n] = await amountsOf(chain, token, [to])
        if (amount >= least) continue
        const { json } = await ask('GET', pathOf(id, 'send'))
        if (json?.['status'] === 'confirmed') broken.push({ ...json, amount, least })
      }
      return broken
    },
  }
}
