// SPDX-License-Identifier: MIT
/**
 * How a client converts visible funds into notes of a privacy pool. It derives the secrets of the next deposits and
 * gives their precommitments with its request for a quote. It checks that the quote deposits under them exactly as
 * promised; then it signs, submits and follows. The notes can be spent in private once the association set provider has
 * approved them.
 */
import type { Address, Hex } from 'viem'
import { checkConversion } from './check-conversion.ts'
import type { Client } from '../account/open-client.ts'
import { noteMasterOf, depositPrecommitment, readDepositIndex } from './note-secrets.ts'
import type { PoolView } from './pool-state.ts'
import { signAndSubmit, type Quote } from '../quotes/send.ts'
import { silently, type Step } from '../requests/step.ts'

export interface ConvertOptions {
  view: PoolView
  /** The value of the notes together; null for all that the account has. */
  amount: bigint | null
  /** The highest fee, vetting included, in the smallest unit of the token. */
  maxFee: bigint
  /** How many notes at most: each address makes one. One unless given. */
  notes?: number
  /** Addresses that may be spent together. A transaction each, at random times. */
  spendableAddresses?: readonly Address[]
  step?: Step
}

export interface QuotedDeposit {
  address: Address
  depositIndex: number
  precommitment: string
  /** The note's value. */
  amount: string
  /** The Entrypoint's input for it. */
  grossAmount: string
  vettingFee: string
  depositFee: string
}

/** Members of a conversion's quote beside those of every quote. */
export interface ConversionQuote extends Quote {
  poolAddress: Address
  /** One for each intent, in their order. */
  deposits: QuotedDeposit[]
}

/** @throws Error where the service refuses, the quote does something else, or the conversion fails. */
export async function convert(
  client: Client,
  options: ConvertOptions,
): Promise<{ quote: ConversionQuote; txHash: Hex }> {
  const { step = silently } = options
  const quote = await step('derive the next notes and ask for a quote', () => askConversion(client, options))
  const approved = await step('verify what the quote deposits, and under which precommitments', () =>
    checkConversion(client, quote, options),
  )
  return { quote, txHash: await signAndSubmit(client, approved, step) }
}

export async function askConversion(
  client: Client,
  options: Omit<ConvertOptions, 'maxFee'>,
): Promise<ConversionQuote> {
  const { view, amount, notes = 1, spendableAddresses } = options
  const { pool } = view
  const { nextDepositIndex } = await view.read()
  const [master, scope] = [noteMasterOf(client), BigInt(pool.scope)]
  const indices = Array.from({ length: notes }, (_, place) => nextDepositIndex + place)
  return client.ask<ConversionQuote>('POST', `/v1/accounts/${client.accountId}/quote`, {
    type: 'pool_deposit',
    chainId: pool.chainId,
    token: pool.token,
    ...(amount === null ? { maxSend: true } : { amount: String(amount) }),
    precommitments: indices.map((depositIndex) => ({
      depositIndex,
      precommitment: String(depositPrecommitment(master, scope, readDepositIndex(depositIndex))),
    })),
    ...(spendableAddresses && { spendableAddresses }),
  })
}
