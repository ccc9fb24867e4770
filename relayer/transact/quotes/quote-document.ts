import { describeFees, nameShare, totalOf, type ChargedFees, effectiveBps } from '../fees/service-fee.ts'
import { type Address, decodeFunctionData, erc20Abi, getAbiItem, toFunctionSelector } from 'viem'
import { z } from 'zod'
import { unsignedDelegation, writeDelegation } from '../intents/delegation.ts'
import { unsignedIntent, writeIntent } from '../intents/intent-wire.ts'
import type { Recipient } from '../safety/check-recipient.ts'
import type { FundingSummary, ExplainedFunding } from './describe-funding.ts'
import { partsOf, type PricedPlan } from './price-quote.ts'
import type { Call } from '../intents/intent.ts'
import type { FundedPart } from '../kinds/quote-plan.ts'

/** Changes when wallets must read the review in another way. */
const REVIEW_VERSION = 1

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
  quote: PricedPlan,
  { refreshAfter, ...sources }: { refreshAfter: Date } & SourceFacts,
) {
  const { plan, kind, token, amount, output, chosen, networkFee, serviceFee, rate, terms, expiresAt } = quote
  const { recipient } = plan
  const parts = partsOf(quote)
  const fees = describeFees(token, rate.tokenUsd, {
    network: networkFee,
    ...nameShare(kind, serviceFee),
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
    protocolFeeBps: kind.price === 'service' ? effectiveBps(terms) : 0,
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
const writeSigned = ({ kind, sending: { chainId, domain }, intents }: PricedPlan) => ({
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
      simulationCallIndices: indices(actions.length + (kind.price === 'none' ? 0 : 1)),
      calldataCaveats: caveats,
    })),
  },
})

/** Writes the known address that a recipient imitates. */
export const writePoisoning = ({
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
  { sending: { chainId }, token, chosen }: PricedPlan,
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

/** Writes the fees of a quote. */
export const writeFees = (fees: ChargedFees) => ({
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

const signedParts = z.object({
  intents: z.array(unsignedIntent).min(1),
  delegations: z.array(unsignedDelegation).default([]),
})

/**
 * Reads the parts to be signed from a stored document. No other code reads a document, because
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

/** Facts that observers of the chain learn from a quote's transactions. */
export const FUNDING_CAVEATS = [
  'addresses_joined',
  'output_linked',
  'approval_replaced',
  'attribution',
  'beyond_default_scan',
  'payee_linked',
  'amounts_linked',
] as const

/** One of these caveats, as the quote shows it. */
interface FundingCaveat {
  kind: (typeof FUNDING_CAVEATS)[number]
  /** Number of joined addresses; for that caveat only. */
  addressCount?: number
  /** Number of earlier cash-outs to the same payee; for that caveat only. */
  earlierCashOuts?: number
}

/** Lists the caveats before signing, read from the intents to be signed. */
function listFundingCaveats(
  { plan, kind, sending, token, output: { token: output }, chosen, intents }: PricedPlan,
  parts: readonly FundedPart[],
) {
  const isExchanged = output.address !== token.address || output.chainId !== sending.chainId
  const caveats: FundingCaveat[] = []
  if (chosen.inputs.length > 1 && kind.transport === 'shared')
    caveats.push({ kind: 'addresses_joined', addressCount: chosen.inputs.length })
  if (plan.recipient.owned && isExchanged) caveats.push({ kind: 'output_linked' })
  if (intents.some(({ actions }) => replacesApproval(actions))) caveats.push({ kind: 'approval_replaced' })
  if (intents.some(({ caveats: marked }) => marked.length > 0)) caveats.push({ kind: 'attribution' })
  return [...caveats, ...(plan.caveatsOf?.(parts) ?? [])]
}

/** True if the calls reset an approval before they give one: a contract had one before. */
function replacesApproval(calls: readonly Call[]): boolean {
  const approved = calls.flatMap(({ data }) => approvedBy(data) ?? [])
  return approved[0] === 0n
}

const APPROVE = getAbiItem({ abi: erc20Abi, name: 'approve' })
// Hashed once: decoding with the whole ABI hashes each of its functions.
const APPROVE_SELECTOR = toFunctionSelector(APPROVE)

function approvedBy(data: Call['data']): bigint | null {
  if (!data.startsWith(APPROVE_SELECTOR)) return null
  try {
    return decodeFunctionData({ abi: [APPROVE], data }).args[1]
  } catch {
    return null
  }
}
