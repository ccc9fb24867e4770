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

/** What a call is to carry behind its arguments; null for nothing. */
export type SuffixOf = (call: Call) => CalldataSuffix | null

/**
 * What calls of a kind of quote carry on a chain: deposits with Across the integrator's id, all others the codes. Nothing
 * unless the operator wants it.
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

/** An intent's calls with what they are to carry, and what a wallet is told of that. */
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
