import { zeroAddress, type Address } from 'viem'
import type { SimulateJob } from '../../../proving/simulate-job.ts'

/** What a run has to tell besides whether it succeeds, and the balances of the spent token. */
export type RunEffects =
  /** What all parties have of these tokens too, before and after; the zero address is the native coin. */
  | { told: 'balances'; tokens: readonly Address[] }
  /** The same, and the logs must explain it. `beside`: who is a party too. */
  | { told: 'parties'; tokens: readonly Address[]; beside?: readonly Address[] }
  /** Every movement: it takes our own EVM, which asks the node more often. */
  | { told: 'everything' }

/** The balances of the spent token are enough. */
export const PLAIN_EFFECTS: RunEffects = { told: 'balances', tokens: [] }

/** Whose balances a run must tell. */
export interface RunParties {
  /** The spent token. */
  token: Address
  /** Who pays, and who gets what comes out. */
  owners: readonly Address[]
  /** Null where no fee is paid. It may pay for gas in other transactions, so no logs have to explain what it has. */
  feeReceiver: Address | null
}

/**
 * What a simulation is asked for, so that it tells these effects on the parties. A native coin arrives or the call fails,
 * so that its balances are read only where a kind wants them.
 */
export function askFor(
  effects: RunEffects,
  { token, owners, feeReceiver }: RunParties,
): Pick<SimulateJob, 'prefer' | 'watch'> {
  const prefer = effects.told === 'everything' ? 'evm' : 'node'
  const wanted = effects.told === 'everything' ? [] : effects.tokens
  const tokens = [...new Set([...wanted, ...(token === zeroAddress ? [] : [token])])]
  if (tokens.length === 0) return { prefer }
  const parties = [...owners, ...((effects.told === 'parties' && effects.beside) || [])]
  return {
    prefer,
    watch: {
      owners: [...new Set([...parties, ...(feeReceiver ? [feeReceiver] : [])])],
      tokens: tokens.map((one) => (one === zeroAddress ? null : one)),
      explain: effects.told === 'parties' ? [...new Set(parties)] : [],
    },
  }
}
