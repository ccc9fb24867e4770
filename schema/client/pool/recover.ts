// SPDX-License-Identifier: MIT
/**
 * How a client takes a deposit back in the open, for instance one that the association set provider declined. It proves
 * that the note is its own, gives the call to the service, and signs the intent that comes back. The returned amount
 * pays the gas. The chain then shows which deposit was taken back. From a change note it also shows that the earlier
 * withdrawals were the depositor's.
 */
import { isAddressEqual, type Address, type Hex } from 'viem'
import { proveRagequit } from './encode-ragequit.ts'
import type { Prover } from './prover.ts'
import { demandFew, demandParts } from '../quotes/check-send.ts'
import type { Client } from '../account/open-client.ts'
import { readPayment } from '../chain/decode-call.ts'
import type { FoundNote } from './find-notes.ts'
import { A_DAY, readOrders } from '../quotes/read-orders.ts'
import type { KnownPool } from './read-pool.ts'
import { signAndSubmit, type Quote } from '../quotes/send.ts'
import { approve, type Approved } from '../quotes/sign-orders.ts'
import { silently, type Step } from '../requests/step.ts'

export interface RecoverOptions {
  pool: KnownPool
  note: FoundNote
  /** The highest fee, in the smallest unit of the note. */
  maxFee: bigint
  /** The user has seen the link that taking a change note back makes public. */
  acknowledgedPublicLink?: boolean
  prover: Prover
  step?: Step
}

export interface RecoverQuote extends Quote {
  commitmentId: string
  poolAddress: Address
}

/** @throws Error where the service refuses, the quote does something else, or the chain refuses. */
export async function recover(
  client: Client,
  options: RecoverOptions,
): Promise<{ quote: RecoverQuote; txHash: Hex }> {
  const { note, prover, step = silently, acknowledgedPublicLink } = options
  const recoverCalldata = await step('prove that the note is one’s own', () => proveRagequit(prover, note))
  const quote = await step('ask for an intent that takes it back', () =>
    client.ask<RecoverQuote>('POST', `/v1/accounts/${client.accountId}/pool-recover/prepare`, {
      commitmentId: note.depositId,
      recoverCalldata,
      ...(acknowledgedPublicLink && { acknowledgedPublicLink }),
    }),
  )
  const approved = await step('verify that it takes exactly this note back', () =>
    checkRecovery(client, quote, { ...options, recoverCalldata }),
  )
  return { quote, txHash: await signAndSubmit(client, approved, step) }
}

/** @throws Error unless the quote makes the wallet's own call, and takes an accepted fee alone. */
export async function checkRecovery(
  client: Client,
  quote: RecoverQuote,
  { pool, note, maxFee, recoverCalldata }: RecoverOptions & { recoverCalldata: Hex },
): Promise<Approved> {
  const orders = await readOrders(client, quote, client.chainOf(pool.chainId), A_DAY)
  demandFew(quote, orders, { maxFee })
  const [intent] = orders.intents
  if (!intent || !isAddressEqual(quote.outputRecipient, intent.eoa))
    throw new Error('the quote pays somebody else')
  if (!isAddressEqual(quote.poolAddress, pool.pool) || !isAddressEqual(quote.outputToken, pool.token))
    throw new Error('the quote is of another pool')
  if (quote.commitmentId !== note.depositId) throw new Error('the quote is of another note')
  const [ragequit, last, ...more] = intent.calls
  if (!ragequit || !last || more.length > 0) throw new Error('the intent makes other calls')
  const isOwn = isAddressEqual(ragequit.to, pool.pool) && ragequit.data === recoverCalldata
  if (!isOwn || ragequit.value !== 0n) throw new Error('the intent does not take the note back')
  const fee = readPayment(last, pool.token).amount
  demandParts(quote.fees)
  if (fee > maxFee) throw new Error(`the fee is ${fee}, and at most ${maxFee} is accepted`)
  const left = String(note.value - fee)
  if (left !== quote.expectedOutput || left !== quote.minimumOutput || fee !== BigInt(quote.fees.total))
    throw new Error('the intent costs more than the quote says')
  return approve(orders)
}
