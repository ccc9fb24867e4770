import { parseAbi, type Address } from 'viem'
import type { Chain, Chains } from '../../chain/nodes/chain.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import type { ScreeningConfig } from './config.ts'
import { addressNotServed } from './errors.ts'
import { serverBusy } from '../../errors.ts'

/** Screening of addresses that may not be paid or served. */
export interface Screening {
  /**
   * Checks that every address may be served on the chain.
   * @throws ServiceError `legal` (451) when one may not; `unavailable` when it is unknown: no answer is no permission.
   */
  requireClear(chainId: number, addresses: readonly Address[]): Promise<void>
  /**
   * Refuses addresses that are already known to be listed, without a query.
   * @throws ServiceError `legal` (451).
   */
  refuseKnown(chainId: number, addresses: readonly Address[]): void
}

/** The interface that sanctions oracles on the public chains share. */
const oracleAbi = parseAbi(['function isSanctioned(address addr) view returns (bool)'])

/** Most cached answers. */
const MAX_CACHED = 10_000

/**
 * Creates the configured screening.
 * @param now Milliseconds; the system's clock unless given.
 * @throws Error in mode `oracle` if a chain with sending has no oracle: it would refuse everybody.
 */
export function createScreening(
  chains: Chains,
  { mode, addresses, cacheMs, recoveryUrl }: ScreeningConfig,
  now: () => number = Date.now,
): Screening {
  if (mode === 'off') return { requireClear: async () => undefined, refuseKnown: () => undefined }
  const listed = new Set<string>(addresses.map((address) => address.toLowerCase()))
  if (mode === 'oracle') for (const chain of chains.values()) if (chain.config.sending) oracleOf(chain)
  const known = new SharedPlaces<string, { listed: boolean; until: number }>(MAX_CACHED)

  const refuse = () => addressNotServed({ details: recoveryUrl === undefined ? {} : { recoveryUrl } })

  async function askOracle(chain: Chain, address: Address): Promise<boolean> {
    const key = keyOf(chain.config.chainId, address)
    const cached = known.get(key)
    if (cached && cached.until > now()) return cached.listed
    const answer = await chain.client.readContract({
      address: oracleOf(chain),
      abi: oracleAbi,
      functionName: 'isSanctioned',
      args: [address],
    })
    known.set(key, { listed: answer, until: now() + cacheMs })
    return answer
  }

  async function isListed(chainId: number, address: Address): Promise<boolean> {
    if (listed.has(address.toLowerCase())) return true
    if (mode !== 'oracle') return false
    const chain = chains.get(chainId)
    if (!chain) throw new Error(`chain ${chainId} is not configured`)
    return askOracle(chain, address)
  }

  return {
    refuseKnown(chainId, asked) {
      const isKnown = (address: Address) => {
        const answer = known.get(keyOf(chainId, address))
        return listed.has(address.toLowerCase()) || (answer && answer.until > now() && answer.listed)
      }
      if (asked.some(isKnown)) throw refuse()
    },
    async requireClear(chainId, asked) {
      // Waits for all answers: a listed address decides even if another is unknown.
      const answers = await Promise.allSettled(asked.map((address) => isListed(chainId, address)))
      if (answers.some((answer) => answer.status === 'fulfilled' && answer.value)) throw refuse()
      const failed = answers.find((answer) => answer.status === 'rejected')
      if (failed)
        throw serverBusy('The address cannot be screened now. Try again later.', {
          cause: failed.reason,
        })
    },
  }
}

const keyOf = (chainId: number, address: Address) => `${chainId} ${address.toLowerCase()}`

function oracleOf({ config }: Chain): Address {
  if (config.sanctionsOracle) return config.sanctionsOracle
  throw new Error(
    `chain ${config.chainId} has no sanctionsOracle: name one, or set screening.mode to list or off`,
  )
}
