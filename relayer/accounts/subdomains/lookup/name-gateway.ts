import type { DatabasePool } from 'slonik'
import type { Address, Hex } from 'viem'
import { findNameOwner } from '../../../../db/subdomains/subdomains.ts'
import type { Addresses } from '../../../addresses/addresses.ts'
import { ServiceError } from '../../../service-error.ts'
import type { NamesConfig } from '../config.ts'
import { normalizeSubdomain } from '../normalize-subdomain.ts'
import { encodeRecord, wantsAddress } from './answer-record.ts'
import { createLookupAddresses, type LookupAddressesOptions } from './lookup-addresses.ts'
import { readLookup, type LookupRequest } from './read-lookup.ts'
import { signAnswer } from './sign-answer.ts'

/** Answers for the names of accounts, so that anybody can pay to one (ERC-3668, ENSIP-10). */
export interface NameGateway {
  /**
   * The signed answer to one lookup. An address in it is one that no other lookup got, as long as the account's addresses
   * allow for that.
   *
   * @throws ServiceError `bad-request` for what is no lookup, `not-found` for names elsewhere.
   */
  answer(request: LookupRequest): Promise<Hex>
}

export interface NameGatewayOptions {
  database: DatabasePool
  addresses: Pick<Addresses, 'issue'>
  sharedState: LookupAddressesOptions['sharedState']
  config: NamesConfig
  /** Chains that the service watches. */
  chainIds: ReadonlySet<number>
}

export function createNameGateway({
  database,
  addresses,
  sharedState,
  config,
  chainIds,
}: NameGatewayOptions): NameGateway {
  const { parent, signerKey, ttlSeconds, freshPerHour } = config
  const addressFor = createLookupAddresses({ addresses, sharedState, freshPerHour })

  async function findAddress(label: string | null): Promise<Address | null> {
    if (label === null || normalizeSubdomain(label) !== label) return null
    const accountId = await findNameOwner(database, label)
    return accountId === null ? null : addressFor(label, accountId)
  }

  return {
    async answer(request) {
      if (parent === undefined || signerKey === undefined)
        throw new ServiceError('not-found', 'This service answers for no name')
      const { name, record } = readLookup(request.data)
      if (name !== parent && !name.endsWith(`.${parent}`))
        throw new ServiceError('not-found', 'This service answers for other names')
      const label = name === parent ? null : name.slice(0, -parent.length - 1)
      const address = wantsAddress(record, chainIds) ? await findAddress(label) : null
      const expires = BigInt(Math.floor(Date.now() / 1_000) + ttlSeconds)
      return signAnswer(request, encodeRecord(record, address), { expires, privateKey: signerKey })
    },
  }
}
