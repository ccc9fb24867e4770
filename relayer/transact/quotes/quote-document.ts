import type { Address } from 'viem'
import { z } from 'zod'
import { effectiveBps } from '../fees/service-fee.ts'
import { submittedDelegation, writeDelegation } from '../intents/delegation-wire.ts'
import { submittedIntent, writeIntent } from '../intents/intent-wire.ts'
import type { Recipient } from '../safety/recipient.ts'
import type { QuoteFees } from '../transact.ts'
import { describeFees, nameShare, totalOf } from './describe-fees.ts'
import type { FundingSummary } from './describe-funding.ts'
import type { ExplainedFunding } from './explain-funding.ts'
import { listFundingCaveats } from './funding-caveats.ts'
import { partsOf, type PricedQuote } from './price-quote.ts'

/** Changes when wallets must read the review in another way. */
const REVIEW_VERSION = 1

/** A quote in wire form without its signature. */
export type QuoteDocument = ReturnType<typeof writeQuote>

/** Facts about the addresses that pay. */
interface SourceFacts {
  funding: ReadonlyMap<Address, FundingSummary>
  origins: ExplainedFunding
}

/**
 * Writes the document of a quote, which is signed, shown, stored, and compared with a submission. No other code writes
 * one.
 */
export function writeQuote(
  quoteId: string,
  quote: PricedQuote,
  { refreshAfter, ...sources }: { refreshAfter: Date } & SourceFacts,
) {
  const { plan, token, amount, chosen, networkFee, serviceFee, rate, terms, expiresAt } = quote
  const { recipient } = plan
  const parts = partsOf(quote)
  const output = plan.outputOf(
    amount,
    token,
    parts.map((part) => part.amount),
  )
  const fees = describeFees(token, rate.tokenUsd, {
    network: networkFee,
    ...nameShare(plan, serviceFee),
    vetting: parts.reduce((sum, part) => sum + (plan.vettingOf?.(part.amount) ?? 0n), 0n),
    dust: chosen.dust,
    waived: terms.waived,
  })
  return {
    quoteId,
    expiresAt: expiresAt.toISOString(),
    ...writeSigned(quote),
    expectedOutput: String(output.expected),
    minimumOutput: String(output.minimum),
    outputToken: output.token.address,
    outputDecimals: output.token.decimals,
    outputSymbol: output.token.symbol,
    outputRecipient: recipient.address,
    outputRecipientOwned: recipient.owned,
    destinationName: recipient.name,
    addressPoisoningMatch: recipient.poisoning && writePoisoning(recipient.poisoning),
    refresh: { after: refreshAfter.toISOString(), sessionExpiresAt: expiresAt.toISOString() },
    protocolFeeBps: plan.price === 'service' ? effectiveBps(terms) : 0,
    protocolFeeAmount: String(fees.service),
    amountIn: String(amount + networkFee + serviceFee),
    selectedFundingSources: writeSources(quote, sources),
    fundingCaveats: listFundingCaveats(quote, parts),
    provenanceLabelGroups: sources.origins.groups,
    fees: writeFees(fees),
    ...plan.members,
    ...plan.membersOf?.(parts),
  }
}

/** Writes what the client signs, and what it reviews before. */
const writeSigned = ({ plan, sending: { chainId, domain }, intents }: PricedQuote) => ({
  intents: intents.map(({ intent, share }) =>
    writeIntent(intent, BigInt(share.input.derivationNonce), domain),
  ),
  delegations: intents.flatMap(({ delegation, intent, share }) =>
    delegation
      ? [
          writeDelegation(
            { ...delegation, chainId, address: intent.eoa },
            BigInt(share.input.derivationNonce),
          ),
        ]
      : [],
  ),
  signingReview: {
    version: REVIEW_VERSION,
    intents: intents.map(({ actions, caveats }) => ({
      userActionCallIndices: indices(actions.length),
      simulationCallIndices: indices(actions.length + (plan.price === 'none' ? 0 : 1)),
      calldataCaveats: caveats,
    })),
  },
})

const writePoisoning = ({
  known,
  matchedPrefixCharsCount,
  matchedSuffixCharsCount,
}: NonNullable<Recipient['poisoning']>) => ({
  matchedAddress: known.address,
  matchedPrefixCharsCount,
  matchedSuffixCharsCount,
  source: known.source,
  contactName: known.contactName,
})

const writeSources = (
  { sending: { chainId }, token, chosen }: PricedQuote,
  { funding, origins }: SourceFacts,
) =>
  chosen.inputs.map(({ address, taken }) => {
    const { idCount, ...summary } = funding.get(address) ?? NOTHING_RECEIVED
    return {
      chainId,
      token: token.address,
      address,
      amount: String(taken),
      idCount,
      addressSummary: { ...summary, ...origins.receivesOf(address) },
      ...origins.provenanceOf(address),
    }
  })

const writeFees = (fees: QuoteFees) => ({
  network: String(fees.network),
  dust: String(fees.dust),
  service: String(fees.service),
  networkUsdAmount: fees.networkUsd,
  totalUsdAmount: fees.totalUsd,
  vetting: String(fees.vetting),
  deposit: String(fees.deposit),
  total: String(totalOf(fees)),
  waived: fees.waived,
})

/** 65 bytes that no key signed, for reading an unsigned object as a signed one. */
const NO_SIGNATURE = `0x${'00'.repeat(64)}1b`

const unsigned = z.record(z.string(), z.unknown()).transform((members) => ({
  ...members,
  signature: NO_SIGNATURE,
}))
const signedParts = z.object({
  intents: z.array(unsigned.pipe(submittedIntent)).min(1),
  delegations: z.array(unsigned.pipe(submittedDelegation)).default([]),
})

/**
 * Reads the parts to be signed from a stored document, with a dummy signature. No other code reads a document, because
 * its other members are personal data.
 * @throws ZodError for a document that {@link writeQuote} did not write.
 */
export const readQuote = (document: unknown): z.output<typeof signedParts> => signedParts.parse(document)

const indices = (count: number) => Array.from({ length: count }, (_, index) => index)

const NOTHING_RECEIVED: FundingSummary = {
  idCount: 0,
  receiveCount: 0,
  rawReceiveCount: 0,
  assetCount: 0,
  chainCount: 0,
}
