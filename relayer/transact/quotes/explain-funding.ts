import { zeroAddress, type Address } from 'viem'
import type { PricedQuote } from './price-quote.ts'
import type { QuoteParts } from './quote-parts.ts'

/** Where the money that pays for a quote comes from, as the document has it. */
export interface ExplainedFunding {
  /** Empty where no holding pays. */
  provenanceOf(address: Address): { provenance?: object }
  receivesOf(address: Address): {
    trustedReceiveActionCount: number
    trustedReceiveActionTypes: readonly string[]
  }
  groups: readonly object[]
}

/** Explains the holdings that pay: of a quote that pays from what its calls bring, or pays nothing, only what came before. */
export async function explainFunding(
  { provenance, provenanceWriter }: Pick<QuoteParts, 'provenance' | 'provenanceWriter'>,
  accountId: string,
  { chosen, plan, token, sending: { chainId } }: PricedQuote,
): Promise<ExplainedFunding> {
  // A collectible's contract is no token: to ask by it would make a node be asked for its decimals, each time.
  const asked = plan.free ? zeroAddress : token.address
  const holdingOf = (address: Address) => ({ chainId, address, token: asked })
  const told = await provenance.explainHoldings(
    accountId,
    chosen.inputs.map(({ address }) => holdingOf(address)),
  )
  const isHeld = !plan.brings && !plan.free
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
