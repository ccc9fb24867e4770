import type { Logger } from 'pino'
import type { Chain, Chains } from '../chains/chain.ts'
import { ServiceError } from '../service-error.ts'
import { createPublicFetch, type PublicFetchOptions } from './fetch-public.ts'
import { findAvatar } from './find-avatar.ts'
import type { Names } from './names.ts'
import { normalizeName } from './normalize-name.ts'
import { readAddress } from './read-address.ts'
import { openRecords, type NameService } from './read-record.ts'

const MAINNET = 1

export interface NamesOptions {
  chains: Chains
  logger: Logger
  /** All that one name may take, in milliseconds. */
  timeoutMs?: number
  ipfsGateway?: string
  /** How addresses that names give are asked; for tests. */
  fetching?: PublicFetchOptions
}

/** Resolves names by the name service of Ethereum, or of the first chain that has one. */
export function createNames(options: NamesOptions): Names {
  const { chains, logger, timeoutMs = 5_000, ipfsGateway = 'https://ipfs.io' } = options
  const home = [chains.get(MAINNET), ...chains.values()].find((chain) => chain?.config.names)
  const service = home ? openService(home, options.fetching) : null

  async function openName(text: string, signal: AbortSignal) {
    const name = normalizeName(text)
    if (!service || name === null) return null
    const read = await openRecords(service, name, signal)
    return read && { name, read, service }
  }

  return {
    isName: (text) => normalizeName(text) !== null,
    async resolve(text, chainId) {
      try {
        const opened = await openName(text, AbortSignal.timeout(timeoutMs))
        const address = opened && (await readAddress(opened.read, opened.name, chainId))
        return address ? { name: opened.name, service: 'ens', address } : null
      } catch (cause) {
        throw new ServiceError('bad-gateway', 'The name service gives no answer.', { cause, retryable: true })
      }
    },
    async avatar(text) {
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const opened = await openName(text, signal)
        if (!opened) return null
        const { name, read } = opened
        const { fetchPublic } = opened.service
        return await findAvatar({ name, read, chains, fetchPublic, ipfsGateway, signal })
      } catch (error) {
        // Without the name: whom somebody pays is nobody's business.
        logger.debug(
          { reason: error instanceof Error ? error.name : 'unknown' },
          'an avatar could not be had',
        )
        return null
      }
    },
  }
}

function openService({ client, config }: Chain, fetching: PublicFetchOptions = {}): NameService | null {
  if (!config.names) return null
  const { registry, localGateways } = config.names
  const local = localGateways ? { allowHttp: true, isAllowed: () => true } : {}
  return { client, registry, fetchPublic: createPublicFetch({ ...local, ...fetching }) }
}
