import { zeroAddress, type Address } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'
import { describeFees, type ChargedFees } from '../fees/service-fee.ts'
import { writeFees, writePoisoning } from '../quotes/quote-document.ts'
import type { Recipient } from '../safety/check-recipient.ts'
import type { SpendPart } from './plan-spend.ts'
import type { PrivacyCaveat } from './privacy-caveats.ts'
import type { SpendNote } from './plan-notes.ts'

/** One address of the account for each withdrawal, with the derivationNonce of its key. */
export interface OwnRecipient {
  address: Address
  derivationNonce: number
}

/** A spend in the form that is shown and signed. Amounts in the token's smallest unit. */
export interface PricedSpend {
  quoteId: string
  expiresAt: Date
  token: Token
  tokenUsd: bigint | null
  parts: readonly SpendPart<SpendNote>[]
  /** Null if the client does not disclose the recipient. */
  recipient: Recipient | null
  /** By part, for a spend to the account itself. */
  ownRecipients: readonly OwnRecipient[]
  crowd: number
  caveats: readonly PrivacyCaveat[]
}

/** Sums the amounts that arrive and the relay fees, in the smallest unit. */
export function sumParts(parts: readonly Pick<SpendPart<SpendNote>, 'withdraws' | 'receives'>[]): {
  receives: bigint
  withdraws: bigint
  fee: bigint
} {
  const receives = parts.reduce((sum, part) => sum + part.receives, 0n)
  const withdraws = parts.reduce((sum, part) => sum + part.withdraws, 0n)
  return { receives, withdraws, fee: withdraws - receives }
}

/** Describes the relay fee as the fees of a quote: a spend pays nothing else. */
export const describeRelayFee = (token: Token, tokenUsd: bigint | null, fee: bigint): ChargedFees =>
  describeFees(token, tokenUsd, {
    network: fee,
    service: 0n,
    vetting: 0n,
    deposit: 0n,
    dust: 0n,
    waived: false,
  })

/**
 * Writes the document of a spend, with all members of other quotes. It is signed and given to the client, and not
 * stored.
 */
export function writeSpend(spend: PricedSpend): Record<string, unknown> {
  const { quoteId, token, tokenUsd, parts, recipient, ownRecipients, crowd, caveats } = spend
  const expiresAt = spend.expiresAt.toISOString()
  const { receives, withdraws, fee } = sumParts(parts)
  return {
    quoteId,
    expiresAt,
    intents: [],
    delegations: [],
    signingReview: { version: 1, intents: [] },
    expectedOutput: String(receives),
    minimumOutput: String(receives),
    outputToken: token.address,
    outputDecimals: token.decimals,
    outputSymbol: token.symbol,
    outputRecipient: recipient?.address ?? ownRecipients[0]?.address ?? zeroAddress,
    outputRecipientOwned: recipient?.owned ?? ownRecipients.length > 0,
    destinationName: recipient?.name ?? null,
    addressPoisoningMatch: recipient?.poisoning ? writePoisoning(recipient.poisoning) : null,
    refresh: { after: expiresAt, sessionExpiresAt: expiresAt },
    protocolFeeBps: 0,
    protocolFeeAmount: '0',
    amountIn: String(withdraws),
    selectedFundingSources: [],
    fundingCaveats: [],
    provenanceLabelGroups: [],
    fees: writeFees(describeRelayFee(token, tokenUsd, fee)),
    withdrawals: parts.map((part, place) => writeWithdrawal(part, ownRecipients[place])),
    crowd,
    privacyCaveats: caveats.map((kind) => ({ kind })),
  }
}

function writeWithdrawal(
  { note, withdraws, receives, feeBps }: SpendPart<SpendNote>,
  own: OwnRecipient | undefined,
) {
  return {
    commitmentId: note.id,
    label: String(note.label),
    depositIndex: note.depositIndex,
    withdrawalIndex: note.withdrawalIndex,
    value: String(note.value),
    receives: String(receives),
    withdraws: String(withdraws),
    relayFeeBPS: Number(feeBps),
    changeValue: String(note.value - withdraws),
    changeWithdrawalIndex: note.withdrawalIndex + 1,
    ...(own && { recipient: own.address, derivationNonce: String(own.derivationNonce) }),
  }
}
