import { isAddressEqual, type Address } from 'viem'
import {
  isRefusal,
  signQuote,
  waitUntilConfirmed,
  type Client,
  type InputOf,
  type Quote,
} from 'stealth-relay/client'
import type { TokenDraft } from './ask-deposit.ts'

type QuoteBody = Extract<NonNullable<InputOf<'createQuote'>['body']>, { type: 'send' }>

/** A payment as the user wants it. */
export interface PaymentDraft extends TokenDraft {
  /** An address or a name. */
  destination: string
}

/** Warnings that the user has read and accepted, in the form of the request. */
export type Accepted = Pick<
  QuoteBody,
  'acknowledgedAddressPoisoningMatch' | 'acknowledgedProvenanceMix' | 'acknowledgedContractRecipient'
>

/** A warning that has to be accepted before there is a quote. */
export type Warning =
  | {
      kind: 'poisoning'
      resolved: Address
      matched: Address
      name: string | null
      prefix: number
      suffix: number
      accept: Accepted
    }
  | { kind: 'mixing'; count: number; most: bigint; accept: Accepted }
  | { kind: 'contract'; address: Address; accept: Accepted }

/** An offer of the service, which reserves the money until it is submitted or given back. */
export interface Offer {
  draft: PaymentDraft
  quote: Quote
  recipient: Address
  fee: bigint
  /** Addresses that pay together. */
  payers: number
  isOwn: boolean
  isLinked: boolean
  expiresAt: Date
}

/** Asks for an offer. @returns A warning where the user has to accept one first. @throws ServiceRefusal. */
export async function askPayment(
  client: Client,
  draft: PaymentDraft,
  accepted: Accepted,
): Promise<Offer | Warning> {
  const { chainId, token, amount, destination } = draft
  try {
    const answer = await client.call('createQuote', {
      body: {
        type: 'send',
        chainId,
        token,
        amount: String(amount),
        destinationAddress: destination,
        ...accepted,
      },
    })
    const quote = answer as unknown as Quote
    return {
      draft,
      quote,
      recipient: quote.outputRecipient,
      fee: BigInt(quote.fees.total),
      payers: quote.intents.length,
      isOwn: answer.outputRecipientOwned,
      isLinked: quote.fundingCaveats.some(({ kind }) => kind === 'output_linked'),
      expiresAt: new Date(answer.expiresAt),
    }
  } catch (error) {
    const warning = readWarning(error, accepted)
    if (!warning) throw error
    return warning
  }
}

function readWarning(error: unknown, accepted: Accepted): Warning | null {
  if (isRefusal(error, 'ADDRESS_POISONING_MATCH')) {
    const { resolvedAddress, matchedAddress, matchedPrefixCharsCount, matchedSuffixCharsCount, ...more } =
      error.body
    const [resolved, matched] = [resolvedAddress as Address, matchedAddress as Address]
    const acknowledgedAddressPoisoningMatch = { recipientAddress: resolved, matchedAddress: matched }
    return {
      kind: 'poisoning',
      resolved,
      matched,
      name: (more as { contactName?: string | null }).contactName ?? null,
      prefix: matchedPrefixCharsCount,
      suffix: matchedSuffixCharsCount,
      accept: { ...accepted, acknowledgedAddressPoisoningMatch },
    }
  }
  if (isRefusal(error, 'PROVENANCE_MIX')) {
    const addresses = error.body.addresses as readonly Address[]
    const accept = { ...accepted, acknowledgedProvenanceMix: addresses }
    return { kind: 'mixing', count: addresses.length, most: BigInt(error.body.maxSendable), accept }
  }
  if (isRefusal(error, 'CONTRACT_RECIPIENT')) {
    const address = error.body.resolvedAddress as Address
    return { kind: 'contract', address, accept: { ...accepted, acknowledgedContractRecipient: address } }
  }
  return null
}

/**
 * Signs what the user has read, by the client package's checks, submits it, and follows it to its end.
 * @throws Error if a check fails, the service refuses, or the payment fails.
 */
export async function makePayment(
  client: Client,
  offer: Offer,
  show: (state: string) => void,
): Promise<string> {
  const { draft, quote, recipient, fee, payers } = offer
  const { chainId, token, amount, destination } = draft
  show('signing')
  const body = await signQuote(client, quote, {
    type: 'send',
    chainId,
    token,
    amount,
    destination,
    // The figures on the screen are the limits.
    maxFee: fee,
    maxAddresses: payers,
    confirmRecipient: (address) => isAddressEqual(address, recipient),
  })
  show('submitting')
  await client.call('submitQuote', { body })
  return waitUntilConfirmed(client, quote.quoteId, show)
}
