import { zeroAddress, type Address } from 'viem'
import type { SimulateJob } from '../../../proving/simulate-job.ts'

/** Results that a run reports besides its success and the balances of the spent token. */
export type RunEffects =
  /** Adds all parties' balances of these tokens, before and after; the zero address is the native coin. */
  | { told: 'balances'; tokens: readonly Address[] }
  /** The same, and the logs must explain the changes. `beside`: further parties. */
  | { told: 'parties'; tokens: readonly Address[]; beside?: readonly Address[] }
  /** Every movement. It takes our own EVM, which sends more queries to the node. */
  | { told: 'everything' }

/** Reports only the balances of the spent token. */
export const PLAIN_EFFECTS: RunEffects = { told: 'balances', tokens: [] }

/** The parties whose balances a run must report. */
export interface RunParties {
  /** The spent token. */
  token: Address
  /** The payers and the recipients of the output. */
  owners: readonly Address[]
  /** Null if no fee is paid. It may pay for gas in other transactions, so logs need not explain its balance. */
  feeReceiver: Address | null
}

/**
 * Returns the options of a simulation that reports these effects on the parties. A native coin arrives or the call
 * fails, so its balances are read only where a kind wants them.
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
