import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, erc20Abi, http, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { z } from 'zod'
import type { DescribedChain } from '../../../relayer/devnet/devnet-description.ts'
import { call, type Answered } from '../../harness/call.ts'
import { signUnchecked } from '../../harness/sign-unchecked.ts'
import { openNewClient } from '../examples/client.ts'
import { knownOf } from '../examples/demo/known-of.ts'
import type { Quote } from '../examples/send.ts'

const sheet = z.object({
  balances: z.array(
    z.object({
      chainId: z.number(),
      token: z.string(),
      visible: z.object({ available: z.string(), pending: z.string() }),
    }),
  ),
})

/** What honest clients did, and how long each answer took, retries included, in milliseconds. */
export interface Diary {
  counts: Record<string, number>
  durations: { quote: number[]; balance: number[]; address: number[] }
}

export const newDiary = (): Diary => ({ counts: {}, durations: { quote: [], balance: [], address: [] } })

const note = ({ counts }: Diary, what: string) => (counts[what] = (counts[what] ?? 0) + 1)

const codeOf = ({ status, json }: Answered) => JSON.stringify(json?.['code'] ?? status)

/** Pays from somebody rich. */
export type Pay = (chain: DescribedChain, token: Address, to: Address, amount: bigint) => Promise<unknown>

export type HonestAccount = Awaited<ReturnType<typeof openHonestAccount>>

/**
 * An account of a network of its own that is paid, quotes, sends and reads. It asks another instance where one is gone, and comes
 * again where it is told to.
 */
export async function openHonestAccount(
  urls: readonly string[],
  place: number,
  chains: readonly DescribedChain[],
  pay: Pay,
) {
  const headers = { 'x-forwarded-for': `172.16.${place}.1` }
  const client = await openNewClient({ url: urls[0]!, chains: chains.map(knownOf), headers })
  const home = `/v1/accounts/${client.accountId}`
  const owned: Address[] = []
  const open = new Set<string>()
  let turn = place

  async function ask(method: string, path: string, body?: unknown, key?: string): Promise<Answered> {
    for (;;) {
      const answer = await call(`${urls[turn % urls.length]}${home}${path}`, {
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
  const unitOf = (token: Address) => (token === zeroAddress ? 10n ** 16n : 10n ** 6n)

  /** Gets an address and is paid there, on a chain and in a token by turns. */
  async function receive(diary: Diary): Promise<void> {
    const key = crypto.randomUUID()
    const { json } = await timed(diary.durations.address, () => ask('POST', '/payment-address', {}, key))
    const { address, nonce } = z.object({ address: z.string(), nonce: z.string() }).parse(json)
    if (client.controlOf(nonce).address !== address) throw new Error('an address is not of the account')
    owned.push(address)
    const chain = chains[owned.length % chains.length]!
    const token = tokensOf(chain)[Math.floor(owned.length / chains.length) % 2]!
    await pay(chain, token, address, unitOf(token)).then(
      () => note(diary, 'paid'),
      () => note(diary, 'payment not sent'),
    )
  }

  /** Sends a part of what one address has, and follows it to its end. */
  async function send(diary: Diary, chain: DescribedChain, token: Address): Promise<void> {
    const terms = {
      type: 'send',
      chainId: chain.chainId,
      token,
      amount: String(unitOf(token) / 10n),
      destinationAddress: privateKeyToAddress(generatePrivateKey()),
    }
    const key = crypto.randomUUID()
    const quoted = await timed(diary.durations.quote, () => ask('POST', '/quote', terms, key))
    if (quoted.status !== 200 && quoted.status !== 201) return void note(diary, `no quote: ${codeOf(quoted)}`)
    const quote = quoted.json as unknown as Quote
    const submitted = await ask('POST', '/submit', await signUnchecked(client, quote))
    if (submitted.status !== 200) {
      note(diary, `not sent: ${codeOf(submitted)}`)
      await ask('POST', '/unlock', { quoteId: quote.quoteId })
      return
    }
    open.add(quote.quoteId)
    note(diary, 'sent')
  }

  async function look(diary: Diary): Promise<void> {
    const { status } = await timed(diary.durations.balance, () => ask('GET', '/balance'))
    expect(status).toBe(200)
    note(diary, 'read')
  }

  return {
    owned,
    /** Goes on until the signal. */
    async live(diary: Diary, signal: AbortSignal): Promise<void> {
      for (let round = 0; !signal.aborted; round += 1) {
        await receive(diary)
        await look(diary)
        const chain = chains[round % chains.length]!
        await send(diary, chain, tokensOf(chain)[Math.floor(round / chains.length) % 2]!)
        await look(diary)
        await ask('GET', '/activities')
        await sleep(500, undefined, { signal }).catch(() => undefined)
      }
    },
    /** How all that was submitted ended; waits for it. */
    async ends(): Promise<string[]> {
      const ends: string[] = []
      for (const quoteId of open)
        await expect
          .poll(
            async () => {
              const { json } = await ask('GET', `/relay-status/${quoteId}`)
              const end = String(json?.['status'])
              if (end === 'confirmed' || end === 'failed') ends.push(end)
              return end
            },
            { timeout: 180_000, interval: 200, message: `quote ${quoteId}` },
          )
          .toMatch(/^(?:confirmed|failed)$/)
      return ends
    },
    /** What the API says it has, by chain and token, and what the chain says, one line each; with what is pending. */
    async books(): Promise<{ api: string[]; chain: string[] }> {
      const { balances } = sheet.parse((await ask('GET', '/balance')).json)
      const ofChain: string[] = []
      const ofApi: string[] = []
      for (const chain of chains) {
        const reader = createPublicClient({ transport: http(chain.rpcUrl, { batch: true }) })
        for (const token of tokensOf(chain)) {
          const amounts = await Promise.all(
            owned.map((address) =>
              token === zeroAddress
                ? reader.getBalance({ address })
                : reader.readContract({
                    address: token,
                    abi: erc20Abi,
                    functionName: 'balanceOf',
                    args: [address],
                  }),
            ),
          )
          const name = `${chain.chainId} ${token}`
          ofChain.push(`${name}: ${amounts.reduce((sum, amount) => sum + amount, 0n)} and 0`)
          const told = balances.find(
            (one) => one.chainId === chain.chainId && one.token.toLowerCase() === token.toLowerCase(),
          )?.visible
          ofApi.push(`${name}: ${told?.available ?? '0'} and ${told?.pending ?? '0'}`)
        }
      }
      return { api: ofApi, chain: ofChain }
    },
  }
}
