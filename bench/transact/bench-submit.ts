import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Hash } from 'viem'
import { connectWallet } from '../../test/devnet/wallet/connect-wallet.ts'
import type { Client } from '../../schema/client/account/open-client.ts'
import { askQuote, type Quote } from '../../schema/client/quotes/send.ts'
import { signUnchecked } from '../../test/harness/sign-unchecked.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type ReadCpu, type Sample } from '../measure/take-sample.ts'
import type { OwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { openCrowd, untilConfirmed, type Member } from './open-crowd.ts'

/** Accounts that submit at once. */
const CROWD = 100
/** Accounts that send one after the other in a round. */
const ALONE = 20
/** For the aftermath of a send: its block, its settlement, the release of its lock. */
const SETTLE_MS = 2_500
/** In the token's smallest unit. */
const AMOUNT = 1_000_000n

type Signed = Awaited<ReturnType<typeof signUnchecked>>

/** Signs quotes as clients do, which costs the service nothing. */
export const signAll = (client: Client, quotes: readonly Quote[]): Promise<Signed[]> =>
  Promise.all(quotes.map((quote) => signUnchecked(client, quote)))

export const submit = (client: Pick<Client, 'ask' | 'accountId'>, signed: Signed) =>
  client.ask<{ txHash?: Hash }>('POST', `/v1/accounts/${client.accountId}/submit`, signed)

/** One account after the other sends: quote and submission, until a node has the transaction. */
async function sendOneByOne(
  { chain: { chainId } }: OwnService,
  clients: readonly Member[],
  token: Address,
): Promise<void> {
  for (const client of clients) {
    const destination = client.freshAddress()
    const quote = await askQuote(client, { chainId, token, amount: AMOUNT, destination })
    await submit(client, await signUnchecked(client, quote))
  }
}

/**
 * Twenty accounts send one after the other: CPU of quote, submission, block and settlement together. Then a hundred accounts
 * submit at once, each for itself. The rows are the CPU of the service until all have the hash of their transaction, and
 * until all are confirmed, with the aftermath. The note compares the gas of an intent with that of one alone in its
 * transaction.
 */
export async function benchCrowd(
  settings: Settings,
  service: OwnService,
  token: Address,
  readCpu: ReadCpu,
): Promise<UnratedRow[]> {
  const account = service.chain.accounts[5]
  if (!account) throw new Error('the devnet has too few accounts')
  const wallet = connectWallet(service.chain, account.privateKey)
  const { chainId } = service.chain
  const answered: Sample[] = []
  const confirmed: Sample[] = []
  const sent: Sample[] = []
  const ratios: number[] = []
  const clients = await openCrowd(service.url, wallet, token, CROWD + 1, AMOUNT * 1_000n)
  for (let round = 0; round < settings.rounds; round += 1) {
    settings.tell(`round ${round + 1} of ${settings.rounds}: ${CROWD} accounts at once`)
    const lonely = clients.slice(0, ALONE)
    sent.push(
      await takeSample(readCpu, ALONE, async () => {
        await sendOneByOne(service, lonely, token)
        await sleep(SETTLE_MS)
      }),
    )
    const signed = []
    for (const client of clients) {
      const destination = client.freshAddress()
      const quote = await askQuote(client, { chainId, token, amount: AMOUNT, destination })
      signed.push({ client, body: await signUnchecked(client, quote), quoteId: quote.quoteId })
    }
    const [lone, ...crowd] = signed
    if (!lone) throw new Error('a crowd of nobody')
    await submit(lone.client, lone.body)
    const alone = [await untilConfirmed(lone.client, lone.quoteId)]
    let hashes: Hash[] = []
    const whole = await takeSample(readCpu, CROWD, async () => {
      const submitting = () => Promise.all(crowd.map(({ client, body }) => submit(client, body)))
      answered.push(await takeSample(readCpu, CROWD, submitting))
      hashes = await Promise.all(crowd.map(({ client, quoteId }) => untilConfirmed(client, quoteId)))
    })
    confirmed.push(whole)
    const gasOf = async (those: readonly Hash[]) => {
      const receipts = await Promise.all(
        [...new Set(those)].map((hash) => wallet.reader.getTransactionReceipt({ hash })),
      )
      return Number(receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n))
    }
    ratios.push((await gasOf(hashes)) / CROWD / (await gasOf(alone)))
  }
  const terms = { baseline: 'transact.plain', compared: 'cpu' } as const
  const worst = Math.max(...ratios)
  const note = `${CROWD} accounts at once; gas of an intent ${worst.toFixed(2)} × alone, at worst`
  const whole = summarize({ name: 'transact.submitUntilConfirmed', ...terms }, confirmed)
  return [
    {
      ...summarize({ name: 'transact.send', baseline: null, compared: 'cpu' }, sent),
      note: `quote, submission, block and settlement, one after the other; with ${SETTLE_MS} ms of idling; peer: none`,
    },
    { ...summarize({ name: 'transact.submit', ...terms }, answered), note },
    { ...whole, note: `${(1_000 / whole.wallMs.median).toFixed(1)} a second` },
  ]
}
