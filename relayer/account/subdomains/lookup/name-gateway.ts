import type { Hex } from 'viem'
import type { NamesConfig } from '../config.ts'
import { encodeRecord, wantsAddress } from './answer-record.ts'
import type { NameLookups } from './name-lookups.ts'
import { readLookup, type LookupRequest } from './read-lookup.ts'
import { signAnswer } from './sign-answer.ts'
import { nameNotServed } from '../errors.ts'

/** Answers lookups of accounts' names, so that anyone can pay to one (ERC-3668, ENSIP-10). */
export interface NameGateway {
  /**
   * Returns the signed answer to one lookup. Its address was given to no other asker.
   *
   * @param asker See {@link NameLookups.find}.
   * @throws ServiceError `bad-request` for data that is no lookup, `not-found` for names of other services, and the
   * errors of {@link NameLookups.find}.
   */
  answer(request: LookupRequest, asker: string): Promise<Hex>
}

/** Dependencies of the name gateway. */
export interface NameGatewayOptions {
  lookups: NameLookups
  config: NamesConfig
  /** Chains that the service watches. */
  chainIds: ReadonlySet<number>
}

/** Creates the gateway for an offchain resolver (ERC-3668). It signs every answer, including that a name has no address. */
export function createNameGateway({ lookups, config, chainIds }: NameGatewayOptions): NameGateway {
  const { parent, signerKey, ttlSeconds } = config
  return {
    async answer(request, asker) {
      if (parent === undefined || signerKey === undefined)
        throw nameNotServed('This service answers for no name')
      const { name, record } = readLookup(request.data)
      if (name !== parent && !name.endsWith(`.${parent}`))
        throw nameNotServed('This service answers for other names')
      const label = name === parent ? null : name.slice(0, -parent.length - 1)
      const address =
        label !== null && wantsAddress(record, chainIds) ? await lookups.find(label, asker) : null
      const expires = BigInt(Math.floor(Date.now() / 1_000) + ttlSeconds)
      return signAnswer(request, encodeRecord(record, address), { expires, privateKey: signerKey })
    },
  }
}
