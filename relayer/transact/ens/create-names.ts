import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Chain, Chains } from '../../chain/nodes/chain.ts'
import { createPublicFetch, type PublicFetchOptions } from './fetch-public.ts'
import { findAvatar } from './find-avatar.ts'
import type { Names } from './names.ts'
import { readAddress } from './read-address.ts'
import { orAborted } from '../../concurrency/run-contained.ts'
import { openRecords, type NameService } from './read-record.ts'
import { nameServiceUnavailable } from './errors.ts'
import { normalize } from 'viem/ens'

const MAINNET = 1

/** Names that this service itself resolves. */
export interface OwnNames {
  /** The normalised parent of all own names. */
  parent: string
  /**
   * Returns an address of the account that owns the name; null if the name is free.
   *
   * @param label The part before the parent name.
   * @param asker The network or the sending account that asks. Opaque text, stored as a keyed hash that changes every
   * hour.
   * @throws ServiceError `too-many-requests` NAME_LOOKUPS_EXHAUSTED when the name's addresses of this hour are used up
   * and the asker has none of them.
   */
  find(label: string, asker: string): Promise<Address | null>
}

/** Parts and settings for resolving names. */
export interface NamesOptions {
  chains: Chains
  /** Null if the service resolves no names of its own. */
  own: OwnNames | null
  logger: Logger
  /** Longest time for one name, in milliseconds. */
  timeoutMs?: number
  ipfsGateway?: string
  /** Overrides how URLs in records are fetched; for tests. */
  fetching?: PublicFetchOptions
}

/** Resolves names by the name service of Ethereum, or of the first chain that has one. */
export function createNames(options: NamesOptions): Names {
  const { chains, own, logger, timeoutMs = 5_000, ipfsGateway = 'https://ipfs.io' } = options
  const home = [chains.get(MAINNET), ...chains.values()].find((chain) => chain?.config.names)
  const service = home ? openService(home, options.fetching) : null

  async function openName(text: string, signal: AbortSignal) {
    const name = normalizeName(text)
    if (!service || name === null) return null
    const read = await openRecords(service, name, signal)
    return read && { name, read, place: service, fetchPublic: service.fetchPublic, signal }
  }
  type OpenName = NonNullable<Awaited<ReturnType<typeof openName>>>

  /** Runs `read` on a name's records within the time limit. */
  function readName<T>(text: string, read: (name: OpenName) => Promise<T>): Promise<T | null> {
    const signal = AbortSignal.timeout(timeoutMs)
    return orAborted(
      openName(text, signal).then((name) => name && read(name)),
      signal,
    )
  }

  return {
    isName: (text) => normalizeName(text) !== null,
    async resolve(text, chainId, asker) {
      const name = normalizeName(text)
      if (own && name !== null && isOwn(name, own)) {
        const address = await own.find(name.slice(0, -own.parent.length - 1), asker)
        return address && { name, service: 'ens', address }
      }
      try {
        return await readName(text, async ({ name, read, place }) => {
          const address = await readAddress(read, name, chainId, place)
          return address && { name, service: 'ens' as const, address }
        })
      } catch (cause) {
        throw nameServiceUnavailable({ cause })
      }
    },
    async avatar(text) {
      const ownName = normalizeName(text)
      // The name gateway answers only for addresses.
      if (own && ownName !== null && isOwn(ownName, own)) return null
      try {
        return await readName(text, (name) => findAvatar({ ...name, chains, ipfsGateway }))
      } catch (error) {
        // Logged without the name, which would disclose the payee.
        logger.debug(
          { reason: error instanceof Error ? error.name : 'unknown' },
          'an avatar could not be had',
        )
        return null
      }
    },
  }
}

const isOwn = (name: string, { parent }: OwnNames) => name.endsWith(`.${parent}`)

function openService({ client, config }: Chain, fetching: PublicFetchOptions = {}): NameService | null {
  if (!config.names) return null
  const { registry, localGateways } = config.names
  const local = localGateways ? { allowHttp: true, isAllowed: () => true } : {}
  return {
    chainId: config.chainId,
    client,
    registry,
    fetchPublic: createPublicFetch({ ...local, ...fetching }),
  }
}

const MAX_NAME = 255
const MAX_LABELS = 12

/**
 * Returns the one form in which a name is looked up and shown (ENSIP-15). Null unless the text is a name of
 * at least two labels. One form ensures that no two different names look alike.
 */
export function normalizeName(text: string): string | null {
  if (text.length > MAX_NAME || !text.includes('.')) return null
  try {
    const name = normalize(text)
    const labels = name.split('.')
    const fits = name.length <= MAX_NAME && labels.length <= MAX_LABELS && !labels.includes('')
    return fits ? name : null
  } catch {
    return null
  }
}
