import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import type { Payer } from '../../harness/chain-actors.ts'
import type { TestService } from '../../harness/start-service.ts'
import type { HostileToken } from '../../relayer/chain/indexer/hostile-token.ts'
import type { createBurners } from '../../relayer/chain/unpaid-gas/create-burners.ts'
import type { Mining } from './keep-mining.ts'

/** Where attackers are. */
export interface Field {
  urls: readonly string[]
  /** The nodes themselves, by chain. */
  nodes: readonly string[]
  payer: Payer
  database: TestService['database']
  mining: Mining
  /** Of the first chain. */
  burners: Awaited<ReturnType<typeof createBurners>>
  /** By chain: they lie about balances, or answer with a megabyte. */
  hostileTokens: readonly (readonly HostileToken[])[]
  /** Addresses of honest accounts. */
  victims(): readonly Address[]
  /** Numbers of attacks, by kind. */
  counts: Record<string, number>
  signal: AbortSignal
}

export const note = ({ counts }: Pick<Field, 'counts'>, what: string): void => {
  counts[what] = (counts[what] ?? 0) + 1
}

/** Ends early with the signal. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined)

const GRIEF_MS = 300

const wordOf = (error: unknown) => /[A-Z]+_[A-Z_]+/.exec(String(error))?.[0] ?? String(error).slice(0, 80)

/** An attempt after which an attacker has nothing left to try. */
export const LEAVES = Symbol('leaves')

/** Repeats an act until the field is left, failures included. */
export async function keepOn(
  field: Pick<Field, 'counts' | 'signal'>,
  what: string,
  attempt: () => Promise<unknown>,
  pauseMs = GRIEF_MS,
): Promise<void> {
  while (!field.signal.aborted) {
    try {
      const outcome = await attempt()
      note(field, what)
      if (outcome === LEAVES) return
    } catch (error) {
      note(field, `${what}: ${wordOf(error)}`)
    }
    await pause(pauseMs, field.signal)
  }
}
