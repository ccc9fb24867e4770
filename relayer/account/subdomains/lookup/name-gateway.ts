import { type Hex, encodeAbiParameters, zeroAddress, type Address, encodePacked, keccak256 } from 'viem'
import type { NamesConfig } from '../config.ts'
import type { NameLookups } from './name-lookups.ts'
import { readLookup, type LookupRequest, type AskedRecord } from './read-lookup.ts'
import { nameNotServed } from '../errors.ts'
import { serializeSignature, sign } from 'viem/accounts'

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

/**
 * Creates the gateway for an offchain resolver (ERC-3668). It signs every answer, including that a name has no address.
 * @param chainIds Chains that the service watches.
 */
export function createNameGateway(
  lookups: NameLookups,
  config: NamesConfig,
  chainIds: ReadonlySet<number>,
): NameGateway {
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

const ETHER_COIN_TYPE = 60n
/** ENSIP-11: coin types of EVM chains are their chain id with this bit. */
const EVM_BIT = 0x8000_0000n

/**
 * True if a stealth address can answer the record: the plain address, or that of a chain which the service watches.
 * The service would not see money on another chain.
 */
function wantsAddress(record: AskedRecord, chainIds: ReadonlySet<number>): boolean {
  if (record.kind === 'address') return true
  if (record.kind !== 'coin-address') return false
  const { coinType } = record
  if (coinType === ETHER_COIN_TYPE) return true
  return coinType > EVM_BIT && coinType < 2n * EVM_BIT && chainIds.has(Number(coinType - EVM_BIT))
}

/** Encodes a record as its resolver function returns it; without an address it is empty. */
function encodeRecord(record: AskedRecord, address: Address | null): Hex {
  const { kind } = record
  if (kind === 'text') return encodeAbiParameters([{ type: 'string' }], [''])
  if (kind === 'contenthash') return encodeAbiParameters([{ type: 'bytes' }], ['0x'])
  if (kind === 'address') return encodeAbiParameters([{ type: 'address' }], [address ?? zeroAddress])
  return encodeAbiParameters([{ type: 'bytes' }], [address ?? '0x'])
}

/**
 * Signs an answer for the resolver contract. Returns abi.encode(result, expires, signature), with the signature over
 * keccak256(0x1900 ‖ resolver ‖ expires ‖ keccak256(request) ‖ keccak256(result)).
 *
 * @param expires Seconds since the epoch after which the contract rejects the answer.
 */
async function signAnswer(
  request: LookupRequest,
  result: Hex,
  { expires, privateKey }: { expires: bigint; privateKey: Hex },
): Promise<Hex> {
  const hash = keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', request.sender, expires, keccak256(request.data), keccak256(result)],
    ),
  )
  const signature = serializeSignature(await sign({ hash, privateKey }))
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
    [result, expires, signature],
  )
}
