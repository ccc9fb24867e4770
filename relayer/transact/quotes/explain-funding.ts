import { zeroAddress, type Address } from 'viem'
import type { PricedQuote } from './price-quote.ts'
import type { QuoteParts } from './quote-parts.ts'

/** Origins of the money that pays for a quote, in the document's form. */
export interface ExplainedFunding {
  /** Empty if no holding pays. */
  provenanceOf(address: Address): { provenance?: object }
  receivesOf(address: Address): {
    trustedReceiveActionCount: number
    trustedReceiveActionTypes: readonly string[]
  }
  groups: readonly object[]
}

/**
 * Explains the origins of the holdings that pay. If the calls bring the money, or the quote is free, it covers only
 * earlier receipts.
 */
export async function explainFunding(
  { provenance, provenanceWriter }: Pick<QuoteParts, 'provenance' | 'provenanceWriter'>,
  accountId: string,
  { chosen, plan, token, sending: { chainId } }: PricedQuote,
): Promise<ExplainedFunding> {
  // A collectible's contract is no token: using it would make a node be queried for its decimals each time.
  const asked = plan.funding.from === 'service' ? zeroAddress : token.address
  const holdingOf = (address: Address) => ({ chainId, address, token: asked })
  const told = await provenance.explainHoldings(
    accountId,
    chosen.inputs.map(({ address }) => holdingOf(address)),
  )
  const isHeld = plan.funding.from === 'holdings'
  return {
    provenanceOf: (address) =>
      isHeld ? { provenance: provenanceWriter.origin(told.of(holdingOf(address))) } : {},
    receivesOf(address) {
      const { count, types } = told.receivesOf(address)
      return { trustedReceiveActionCount: count, trustedReceiveActionTypes: types }
    },
    groups: isHeld ? provenanceWriter.groups(told.groups) : [],
  }
}
