// SPDX-License-Identifier: MIT
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../account/open-client.ts'
import { askConversion, type ConversionQuote, type ConvertOptions } from '../pool/convert.ts'
import { signPoolQuote } from '../pool/sign-pool-quote.ts'
import { askQuote, submitSigned, type Quote, type SendOptions } from '../quotes/send.ts'
import type { Submission } from '../quotes/sign-orders.ts'
import { signQuote } from '../quotes/sign-quote.ts'
import { useWallet } from './wallet-provider.ts'

/** How an order of a kind is asked for, and signed once the user agrees. */
export interface OrderKind<Terms, Offer extends Quote> {
  ask(client: Client, terms: Terms): Promise<Offer>
  /** `maxFee` is the fee that the user saw. */
  sign(client: Client, offer: Offer, terms: Terms & { maxFee: bigint }): Promise<Submission>
}
type Terms<Options> = Omit<Options, 'maxFee' | 'step'>

/** A payment to an address or a name. */
export const PAYMENT: OrderKind<Terms<SendOptions>, Quote> = {
  ask: askQuote,
  sign: (client, quote, terms) => signQuote(client, quote, { type: 'send', ...terms }),
}

/** A deposit into a pool. */
export const DEPOSIT: OrderKind<Terms<ConvertOptions>, ConversionQuote> = {
  ask: askConversion,
  sign: (client, quote, terms) => signPoolQuote(client, quote, { type: 'pool_deposit', ...terms }),
}

/**
 * An order in two steps: `ask` for an offer, show its fee, `confirm` it. An offer reserves funds: another `ask`, `drop`, or
 * leaving the page gives them back.
 */
export function useOrder<Terms, Offer extends Quote>(kind: OrderKind<Terms, Offer>) {
  const client = useWallet()
  const reserved = useRef<string | null>(null)
  /** An offer that comes after the user has gone on is given back at once. */
  const turn = useRef(0)
  const [progress, setProgress] = useState<string | null>(null)

  // An offer that has ended meanwhile reserves nothing.
  const unlock = (quoteId: string) => client.call('unlockQuote', { body: { quoteId } }).catch(() => undefined)
  const release = () => {
    turn.current += 1
    if (reserved.current !== null) void unlock(reserved.current)
    reserved.current = null
  }
  useEffect(() => release, [client])

  const asking = useMutation({
    async mutationFn(terms: Terms) {
      const asked = turn.current
      const quote = await kind.ask(client, terms)
      if (asked === turn.current) reserved.current = quote.quoteId
      else void unlock(quote.quoteId)
      return { terms, quote, fee: BigInt(quote.fees.total) }
    },
  })
  const confirming = useMutation({
    async mutationFn() {
      if (!asking.data) throw new Error('ask for an offer first')
      const { terms, quote, fee } = asking.data
      const signed = await kind.sign(client, quote, { ...terms, maxFee: fee })
      reserved.current = null
      return submitSigned(client, signed, setProgress)
    },
  })
  const drop = () => {
    release()
    asking.reset()
    confirming.reset()
    setProgress(null)
  }
  return {
    ask: (terms: Terms) => {
      drop()
      asking.mutate(terms)
    },
    /** Null before the answer, and once the order is confirmed or failed. */
    offer: confirming.isIdle ? (asking.data ?? null) : null,
    confirm: () => confirming.mutate(),
    drop,
    isBusy: asking.isPending || confirming.isPending,
    /** As the service names it: `pending`; null before it is submitted. */
    progress,
    txHash: confirming.data ?? null,
    error: asking.error ?? confirming.error,
  }
}
