import type { Address } from 'viem'
import { NATIVE_ASSET } from './config.ts'
import type { Chain, Chains } from './chain.ts'
import { listContractSettings } from './lost-addresses.ts'

/** Milliseconds between two reads while a contract is missing; it may be deployed later. */
const READ_AGAIN_MS = 60_000

/** A setting whose contract has no code. */
export interface MissingContract {
  code: 'CONTRACT_MISSING'
  chainId: number
  /** The setting. */
  subject: string
  detail: string
}

/** State of one chain. */
interface Watched {
  readAt: number
  isReading: boolean
  /** Null before the first answer. */
  missing: readonly MissingContract[] | null
}

/**
 * Returns the contracts of the settings that have no code, from memory. It reads the code of all of them once per chain, and of
 * a chain with missing ones once a minute.
 */
export function watchContracts(chains: Chains): () => readonly MissingContract[] {
  const watched = new Map<number, Watched>()

  async function read(chain: Chain, state: Watched): Promise<void> {
    state.isReading = true
    state.readAt = performance.now()
    try {
      state.missing = await findMissing(chain)
    } catch {
      // A chain that does not answer has an alarm of its own.
    }
    state.isReading = false
  }

  return () =>
    [...chains.values()].flatMap((chain) => {
      const { chainId } = chain.config
      const state = watched.get(chainId) ?? { readAt: -Infinity, isReading: false, missing: null }
      watched.set(chainId, state)
      const isDue = state.missing?.length !== 0 && performance.now() - state.readAt > READ_AGAIN_MS
      if (chain.head() && isDue && !state.isReading) void read(chain, state)
      return state.missing ?? []
    })
}

async function findMissing({ config, client }: Chain): Promise<MissingContract[]> {
  const settings = [...listContractSettings(config)].filter(([address]) => isContract(address))
  const codes = await Promise.all(settings.map(([address]) => client.getCode({ address })))
  return settings.flatMap(([address, setting], place): MissingContract[] =>
    (codes[place] ?? '0x') === '0x'
      ? [
          {
            code: 'CONTRACT_MISSING',
            chainId: config.chainId,
            subject: setting,
            detail: `${setting} names ${address}, which has no code`,
          },
        ]
      : [],
  )
}

/** False for the addresses that stand for the native coin. */
const isContract = (address: Address) => address !== NATIVE_ASSET && BigInt(address) !== 0n
