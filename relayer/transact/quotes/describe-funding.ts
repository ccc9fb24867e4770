import type { Address } from 'viem'
import { countReceived } from '../../../db/holdings/address-holdings.ts'
import { keyOf, tokenIdOf } from '../../holdings/tokens/token-id.ts'
import type { QuoteParts } from './quote-parts.ts'

/** How an address came by what it has (api.md 2.7). */
export interface FundingSummary {
  /** How often it received the token. */
  idCount: number
  receiveCount: number
  /** Without leaving out what looks like spam. */
  rawReceiveCount: number
  assetCount: number
  chainCount: number
}

/** The same for some addresses: two queries. */
export async function describeFunding(
  { database, tokens }: Pick<QuoteParts, 'database' | 'tokens'>,
  addresses: readonly Address[],
  token: { chainId: number; address: Address },
): Promise<ReadonlyMap<Address, FundingSummary>> {
  const rows = (await countReceived(database, addresses)).map((row) => ({
    ...row,
    id: tokenIdOf(row.chainId, row.token),
  }))
  const known = await tokens.findMany(rows.map(({ id }) => id))
  const ofAddress = Map.groupBy(rows, ({ address }) => address)
  return new Map(
    addresses.map((address) => {
      const received = ofAddress.get(address) ?? []
      const trusted = received.filter(({ id }) => known.get(keyOf(id))?.spam === false)
      return [
        address,
        {
          idCount: received.find(({ id }) => keyOf(id) === keyOf(token))?.receiveCount ?? 0,
          receiveCount: count(trusted),
          rawReceiveCount: count(received),
          assetCount: new Set(trusted.map(({ id }) => keyOf(id))).size,
          chainCount: new Set(trusted.map(({ chainId }) => chainId)).size,
        },
      ]
    }),
  )
}

const count = (rows: readonly { receiveCount: number }[]) =>
  rows.reduce((sum, { receiveCount }) => sum + receiveCount, 0)
