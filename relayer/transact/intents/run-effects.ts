import { zeroAddress, type Address } from 'viem'
import type { SimulateJob } from '../../../proving/simulate-job.ts'

/** What a run has to tell besides whether it succeeds. */
export type RunEffects =
  | { told: 'nothing' }
  /** What all parties have of these tokens before and after; the zero address is the native coin. */
  | { told: 'parties'; tokens: readonly Address[] }
  /** Every movement: it takes our own EVM, which asks the node more often. */
  | { told: 'everything' }

/** What a simulation is asked for, so that it tells these effects on the parties. */
export function askFor(
  effects: RunEffects,
  parties: readonly Address[],
): Pick<SimulateJob, 'prefer' | 'watch'> {
  if (effects.told === 'everything') return { prefer: 'evm' }
  if (effects.told === 'nothing') return { prefer: 'node' }
  const tokens = [...new Set(effects.tokens)].map((token) => (token === zeroAddress ? null : token))
  return { prefer: 'node', watch: { owners: [...new Set(parties)], tokens } }
}
