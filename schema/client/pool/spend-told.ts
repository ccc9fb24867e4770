// SPDX-License-Identifier: MIT
/**
 * How a client spends from a pool and lets the service know, so that the notes are locked meanwhile and the account's
 * activity shows it. It asks which notes would pay, and checks that against its own notes. It reports the hashes of the
 * withdrawals, and then has each relayed without a token, as in spend-blindly.ts. The service never sees the recipient
 * with the account, unless it is an address of the account itself.
 */
import { sleep } from '../requests/sleep.ts'
import { commitmentOf } from './note.ts'
import type { Prover } from './prover.ts'
import { hashNullifier } from './note-hashes.ts'
import { sum } from '../quotes/check-send.ts'
import { demandOwn, type Client } from '../account/open-client.ts'
import { findNotes, type FoundNote } from './find-notes.ts'
import { noteMasterOf, changeSecrets } from './note-secrets.ts'
import type { PoolView } from './pool-state.ts'
import { A_DAY, readOrders } from '../quotes/read-orders.ts'
import { SubmissionFailed, waitUntilConfirmed, type Quote } from '../quotes/send.ts'
import { silently, type Step } from '../requests/step.ts'
import { withdraw } from './withdraw.ts'
import { isAddressEqual, type Address, type Hex } from 'viem'

export interface ToldSpend {
  view: PoolView
  /** The amount that arrives, by today's relay fee. */
  amount: bigint
  /** Null sends it to fresh addresses of the account, one for each withdrawal. */
  recipient: Address | null
  /** The highest relay fee of all withdrawals together, in the smallest unit of the token. */
  maxFee: bigint
  prover: Prover
  /** An answer of `askSpend` to the same request, which the user has read; asked for unless given. */
  quote?: SpendQuote
  /** As in spend-blindly.ts. */
  relayerUrl?: string
  /** The longest pause before each withdrawal, drawn at random: several at once would look like one. */
  spacingMs?: number
  step?: Step
}

interface PlannedWithdrawal {
  commitmentId: string
  label: string
  withdrawalIndex: number
  value: string
  receives: string
  withdraws: string
  changeValue: string
  changeWithdrawalIndex: number
  recipient?: Address
  derivationNonce?: string
}

export interface SpendQuote extends Quote {
  withdrawals: PlannedWithdrawal[]
  /** How many approved deposits are worth the largest withdrawal. */
  crowd: number
  privacyCaveats: { kind: string }[]
}

/** One withdrawal's note and recipient. */
interface OwnWithdrawal {
  planned: PlannedWithdrawal
  note: FoundNote
  amount: bigint
  recipient: Address
  change: { nullifier: bigint; secret: bigint }
}

/** An unpredictable number from 0 up to 1: the pause between two withdrawals must not join them. */
const randomFraction = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

/** @throws Error where the service or the relayer refuses, or the quote spends missing notes. */
export async function spendTold(
  client: Client,
  {
    view,
    amount,
    recipient,
    maxFee,
    prover,
    quote: known,
    relayerUrl = client.url,
    spacingMs = 30_000,
    step = silently,
  }: ToldSpend,
): Promise<{ quote: SpendQuote; txHashes: Hex[] }> {
  const quote =
    known ??
    (await step('ask which notes would pay; they are locked', () =>
      askSpend(client, { view, amount, isOwn: recipient === null }),
    ))
  const own = await step('check that against the notes that the wallet found', () =>
    checkSpend(client, quote, { view, amount, recipient, maxFee }),
  )
  await step('tell by which hashes the withdrawals can be found', () =>
    client.ask('POST', `/v1/accounts/${client.accountId}/submit`, submissionOf(quote, own)),
  )
  const txHashes: Hex[] = []
  let left = maxFee
  for (const withdrawal of own) {
    await sleep(randomFraction() * spacingMs)
    const { leaves: stateTreeLeaves, aspLeaves } = await view.readForProof()
    const { txHash, quote: relayed } = await withdraw({
      ...view.pool,
      ...withdrawal,
      maxFee: left,
      url: relayerUrl,
      leaves: { stateTreeLeaves, aspLeaves },
      prover,
      step,
    })
    left -= (withdrawal.amount * BigInt(relayed.feeBPS)) / 10_000n
    txHashes.push(txHash)
  }
  await step('the service has seen it on the chain', (show) =>
    waitUntilConfirmed(client, quote.quoteId, show).catch((error: unknown) => {
      // The withdrawals are mined all the same.
      throw error instanceof SubmissionFailed
        ? new Error('a note was spent otherwise', { cause: error })
        : error
    }),
  )
  return { quote, txHashes }
}

export async function askSpend(
  client: Client,
  { view, amount, isOwn }: { view: PoolView; amount: bigint; isOwn: boolean },
): Promise<SpendQuote> {
  const { chainId, token } = view.pool
  const type = isOwn ? 'incognito_self_send' : 'incognito_send'
  // Without a destination: the service has no need to know it.
  return client.ask<SpendQuote>('POST', `/v1/accounts/${client.accountId}/quote`, {
    type,
    chainId,
    token,
    amount: String(amount),
  })
}

/** The body of `submit`: the hashes of each withdrawal that the chain will show. */
export const submissionOf = ({ quoteId }: SpendQuote, own: readonly OwnWithdrawal[]) => ({
  quoteId,
  withdrawals: own.map(({ planned, note, amount, change }) => ({
    commitmentId: planned.commitmentId,
    nullifierHash: String(hashNullifier(note.nullifier)),
    newCommitment: String(commitmentOf({ ...change, label: note.label, value: note.value - amount })),
  })),
})

/** @throws Error unless the service signed the quote and it spends notes of the wallet, for as much as was asked. */
export async function checkSpend(
  client: Client,
  quote: SpendQuote,
  { view, amount, recipient, maxFee }: Pick<ToldSpend, 'view' | 'amount' | 'recipient' | 'maxFee'>,
): Promise<OwnWithdrawal[]> {
  await readOrders(client, quote, client.chainOf(view.pool.chainId), A_DAY)
  if (!isAddressEqual(quote.outputToken, view.pool.token)) throw new Error('the quote pays another token')
  if (quote.intents.length > 0 || quote.delegations.length > 0)
    throw new Error('a spend from a pool needs no signature of an address')
  const master = noteMasterOf(client)
  const { notes } = findNotes(master, BigInt(view.pool.scope), await view.read())
  const own = quote.withdrawals.map((planned): OwnWithdrawal => {
    const { withdrawalIndex } = planned
    const note = notes.find(
      (found) => found.label === BigInt(planned.label) && found.withdrawalIndex === withdrawalIndex,
    )
    const [value, withdraws] = [BigInt(planned.value), BigInt(planned.withdraws)]
    if (!note || note.value !== value) throw new Error(`the wallet has no note ${planned.commitmentId}`)
    if (note.depositId !== planned.commitmentId) throw new Error('the quote names another note')
    if (withdraws > value || BigInt(planned.receives) > withdraws)
      throw new Error('a withdrawal takes more than its note is worth')
    const isChange = BigInt(planned.changeValue) === value - withdraws
    if (!isChange || planned.changeWithdrawalIndex !== withdrawalIndex + 1)
      throw new Error('another change would be left than the quote says')
    return {
      planned,
      note,
      amount: withdraws,
      recipient: recipient ?? readRecipient(client, planned),
      change: changeSecrets(master, note.label, BigInt(withdrawalIndex + 1)),
    }
  })
  if (new Set(own.map(({ note }) => note)).size !== own.length) throw new Error('a note is spent twice')
  const arriving = sum(own.map(({ planned }) => BigInt(planned.receives)))
  if (arriving < amount || arriving !== BigInt(quote.expectedOutput))
    throw new Error('the withdrawals pay another amount')
  // A surplus would be paid out too, in public.
  const leaving = sum(own.map(({ amount: withdrawn }) => withdrawn))
  if (leaving - amount > maxFee) throw new Error('the withdrawals take more than the accepted fee')
  return own
}

function readRecipient(client: Client, { recipient, derivationNonce }: PlannedWithdrawal): Address {
  if (derivationNonce === undefined || !recipient)
    throw new Error('a withdrawal to oneself names no address of the account')
  return demandOwn(client, derivationNonce, recipient).address
}
