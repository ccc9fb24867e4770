import { type Address, zeroAddress } from 'viem'
import { countReceived } from '../../../db/account/balances/address-holdings.ts'
import { keyOf } from '../../market/tokens/token-id.ts'
import type { QuoteParts } from './prepare-quote.ts'
import type { PricedPlan } from './price-quote.ts'

/** Most tokens counted separately, in the order of their first receipt; later ones count as spam. */
const MOST_TOKENS = 250

/** Receipts of an address. */
export interface FundingSummary {
  /** Number of receipts of the quote's token. */
  idCount: number
  receiveCount: number
  /** Includes receipts that look like spam. */
  rawReceiveCount: number
  assetCount: number
  chainCount: number
}

/** Reads the receipts of some addresses, in two queries. */
export async function describeFunding(
  { database, tokens }: QuoteParts,
  addresses: readonly Address[],
  token: { chainId: number; address: Address },
): Promise<ReadonlyMap<Address, FundingSummary>> {
  const rows = (await countReceived(database, addresses, { most: MOST_TOKENS })).map((row) => ({
    ...row,
    id: row.chainId === null || row.token === null ? null : { chainId: row.chainId, address: row.token },
  }))
  const known = await tokens.findMany(rows.flatMap(({ id }) => id ?? []))
  const ofAddress = Map.groupBy(rows, ({ address }) => address)
  return new Map(
    addresses.map((address) => {
      const received = ofAddress.get(address) ?? []
      const trusted = received.filter(({ id }) => id !== null && known.get(keyOf(id))?.spam === false)
      return [
        address,
        {
          idCount: received.find(({ id }) => id !== null && keyOf(id) === keyOf(token))?.receiveCount ?? 0,
          receiveCount: count(trusted),
          rawReceiveCount: count(received),
          assetCount: new Set(trusted.map(({ id }) => id && keyOf(id))).size,
          chainCount: new Set(trusted.map(({ chainId }) => chainId)).size,
        },
      ]
    }),
  )
}

const count = (rows: readonly { receiveCount: number }[]) =>
  rows.reduce((sum, { receiveCount }) => sum + receiveCount, 0)

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
  { provenance, provenanceWriter }: QuoteParts,
  accountId: string,
  { chosen, plan, token, sending: { chainId } }: PricedPlan,
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
