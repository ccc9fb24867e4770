import { getAddress } from 'viem'
import type { RateCounters } from '../../../db/shared-state/shared-state.ts'
import type { GenerationContext } from '../../../db/account/addresses/issue-addresses.ts'
import { listDappUses, listUsesOfAddresses } from '../../../db/account/addresses/dapp-uses.ts'
import {
  countStealthAddresses,
  listStealthAddresses,
  type StealthAddressRow,
} from '../../../db/account/addresses/stealth-addresses.ts'
import { NO_FACTS, type AddressFactReader } from './address-facts.ts'
import type {
  AddressPage,
  Addresses,
  AddressQuery,
  DescribeApp,
  IssuedAddress,
  OwnedAddress,
} from './addresses.ts'
import { batchByKey } from '../../concurrency/gather-calls.ts'
import { issueAddresses, issueScarce, type IssueParts } from './issue-addresses.ts'

/** Dependencies of the addresses. */
export interface AddressesParts extends IssueParts {
  facts: AddressFactReader
  sharedState: RateCounters
  describeApp: DescribeApp
}

/** Addresses derived in one go on the main thread: about four milliseconds. */
const MAX_BATCH = 32

/** Creates the one-time addresses over PostgreSQL. Concurrent calls of one account are derived as one batch. */
export function createAddresses(parts: AddressesParts): Addresses {
  const { database, describeApp, config } = parts
  const issueFor = (context: GenerationContext) =>
    batchByKey<IssuedAddress>(
      (accountId, count) => issueAddresses(parts, accountId, context, count),
      MAX_BATCH,
    )
  const issue = {
    external: issueFor('external'),
    'fund-movement': issueFor('fund-movement'),
    app: issueFor('app'),
  }
  const scarce = batchByKey<IssuedAddress>(
    (accountId, count) => issueScarce(parts, accountId, count),
    MAX_BATCH,
  )
  const { freshPerWindow, freshPerNetwork = 2 * freshPerWindow, windowMs } = config
  const ofNetworks = parts.sharedState.rateCounter({
    name: 'fresh-addresses',
    points: freshPerNetwork,
    seconds: Math.ceil(windowMs / 1_000),
  })

  async function issueTo(network: string, accountId: string): Promise<IssuedAddress> {
    const { taken, resetMs } = await ofNetworks.take(network)
    if (taken <= freshPerNetwork) return issue.external(accountId)
    const issued = await scarce(accountId)
    return issued.reused ? { ...issued, limitResetsAt: new Date(Date.now() + resetMs) } : issued
  }

  return {
    issue: (accountId, context, network) =>
      context === 'external' && network !== undefined
        ? issueTo(network, accountId)
        : issue[context](accountId),
    owns: async (accountId, address) => (await countStealthAddresses(database, accountId, { address })) > 0,
    list: async (accountId, page) => (await listStealthAddresses(database, accountId, page)).map(toOwned),
    count: (accountId) => countStealthAddresses(database, accountId),
    browse: (accountId, query) => browse(parts, accountId, query),
    async listDappAddresses(accountId, { limit, offset }) {
      const rows = await listDappUses(database, accountId, { limit: limit + 1, offset })
      const items = rows.slice(0, limit).map((row) => ({
        address: getAddress(row.address),
        app: describeApp(row.origin),
        lastUsedAt: row.lastUsedAt,
      }))
      return { items, hasMore: rows.length > limit }
    },
  }
}

async function browse(
  { database, facts, describeApp }: AddressesParts,
  accountId: string,
  query: AddressQuery,
): Promise<AddressPage> {
  const { filter, after, limit, includeSummary } = query
  const [rows, total] = await Promise.all([
    listStealthAddresses(database, accountId, { after, limit: limit + 1, filter }),
    countStealthAddresses(database, accountId, filter),
  ])
  const owned = rows.slice(0, limit).map(toOwned)
  const addresses = owned.map(({ address }) => address)
  const [known, uses] = await Promise.all([
    facts.read(addresses, { accountId, includeBalances: includeSummary }),
    includeSummary ? listUsesOfAddresses(database, addresses) : [],
  ])
  const items = owned.map((item) => ({
    ...item,
    facts: known.facts.get(item.address) ?? NO_FACTS,
    usedApps: uses.filter(({ address }) => address === item.address).map(({ origin }) => describeApp(origin)),
  }))
  const next = rows.length > limit ? (owned.at(-1)?.derivationNonce ?? null) : null
  return { items, total, next, checkedChainIds: known.checkedChainIds }
}

/** Hides the context `app`: the API reports the apps of an address in a member of its own. */
const toOwned = ({ generationContext, ...row }: StealthAddressRow): OwnedAddress => ({
  ...row,
  address: getAddress(row.address),
  generationContext: generationContext === 'app' ? 'external' : generationContext,
})
