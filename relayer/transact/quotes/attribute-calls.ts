import { isAddressEqual } from 'viem'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { Call } from '../intents/intent.ts'
import {
  appendSuffix,
  canCarrySuffix,
  encodeAttribution,
  encodeIntegrator,
  type CalldataCaveat,
  type CalldataSuffix,
} from '../signing/calldata-caveats.ts'
import type { QuotesConfig } from './config.ts'

/** Returns the suffix for a call's calldata; null for none. */
export type SuffixOf = (call: Call) => CalldataSuffix | null

/**
 * Returns the suffixes for a kind of quote on a chain: the integrator's id for deposits with Across, the codes for all
 * other calls. None unless the operator configured them.
 */
export function attributionOf(
  { attribution }: Pick<QuotesConfig, 'attribution'>,
  kind: string,
  { venues }: Pick<ChainConfig, 'venues'>,
): SuffixOf {
  if (!attribution?.kinds.some((attributed) => attributed === kind)) return () => null
  const { codes, acrossIntegratorId } = attribution
  const codesSuffix = codes.length > 0 ? encodeAttribution(codes) : null
  const idSuffix = acrossIntegratorId === undefined ? null : encodeIntegrator(acrossIntegratorId)
  const spokePool = venues?.across?.spokePool
  return ({ to, data }) => {
    if (!canCarrySuffix(data)) return null
    return idSuffix && spokePool && isAddressEqual(to, spokePool) ? idSuffix : codesSuffix
  }
}

/** Appends the suffixes to an intent's calls, and lists the caveats for the wallet. */
export function attributeCalls(
  calls: readonly Call[],
  suffixOf: SuffixOf,
): { calls: readonly Call[]; caveats: readonly CalldataCaveat[] } {
  const caveats: CalldataCaveat[] = []
  const attributed = calls.map((call, callIndex) => {
    const suffix = suffixOf(call)
    if (!suffix) return call
    const { data, caveat } = appendSuffix(call.data, suffix, callIndex)
    caveats.push(caveat)
    return { ...call, data }
  })
  return { calls: attributed, caveats }
}
