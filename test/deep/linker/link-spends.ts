import type { SeenSpend, Suspect, Trace } from './evidence.ts'

/** Each way of guessing by itself, and all together. */
export const WAYS = ['ids', 'time', 'order', 'all'] as const
export type Way = (typeof WAYS)[number]

/** How likely each suspect is, by accountId; what is not there is at zero. The sum is 1. */
export type Guess = ReadonlyMap<string, number>

/** Steps that a trail of shared names may take from a spend to an account. */
const STEPS = 3
/** A name that so many accounts share tells none of them. */
const COMMON = 3

/**
 * Guesses of each spend whose it is, as somebody would who has the database and the logs without the master keys.
 *
 * `ids`: a trail of names (ids, hashes, amounts, any long number) from a row about the spend to a row about an account, of which
 * the shortest and the rarest count most. `time`: the account whose rows name a moment nearest to those of the spend's rows.
 * `order`: the account whose row PostgreSQL wrote last before the spend's first row. Where a way finds nothing it guesses blindly.
 */
export function linkSpends(
  traces: readonly Trace[],
  suspects: readonly Suspect[],
  spends: readonly SeenSpend[],
): Record<Way, Guess>[] {
  const index = indexTraces(traces, suspects)
  return spends.map((spend) => {
    const about = aboutSpend(index, spend)
    const ids = guessByIds(index, about)
    const time = guessByTime(index, about)
    const order = guessByOrder(index, about)
    return { ids, time, order, all: mix(index, [ids, ids, time, order]) }
  })
}

/** The share of spends of which a way guessed the account: what it would be right on average. */
export const scoreOf = (guesses: readonly Guess[], truth: readonly string[]): number =>
  guesses.reduce((sum, guess, place) => sum + (guess.get(truth[place] ?? '') ?? 0), 0) / guesses.length

interface Entry {
  trace: Trace
  names: ReadonlySet<string>
  /** Accounts that it names. */
  accounts: ReadonlySet<string>
}

interface Index {
  entries: readonly Entry[]
  byName: ReadonlyMap<string, readonly Entry[]>
  suspects: readonly string[]
}

const NAME = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:0x)?[0-9a-f]{16,}|\d{6,}/g
const namesIn = (text: string): Set<string> => new Set(text.toLowerCase().match(NAME))

function indexTraces(traces: readonly Trace[], suspects: readonly Suspect[]): Index {
  const ownerOf = new Map(
    suspects.flatMap(({ accountId, names }) =>
      [accountId, ...names].map((name) => [name.toLowerCase(), accountId] as const),
    ),
  )
  const entries = traces.map((trace): Entry => {
    const names = namesIn(trace.text)
    const accounts = new Set([...names].flatMap((name) => ownerOf.get(name) ?? []))
    return { trace, names, accounts }
  })
  const byName = new Map<string, Entry[]>()
  for (const entry of entries)
    for (const name of entry.names) byName.set(name, [...(byName.get(name) ?? []), entry])
  return { entries, byName, suspects: suspects.map(({ accountId }) => accountId) }
}

/** Rows that name the spend, and rows of the relay that those name. */
function aboutSpend({ byName }: Index, { nullifierHash, newCommitment, txHash }: SeenSpend): Entry[] {
  const direct = [nullifierHash, newCommitment, txHash].flatMap(
    (name) => byName.get(name.toLowerCase()) ?? [],
  )
  return [...new Set(direct)]
}

const accountsOf = (entries: readonly Entry[]) => new Set(entries.flatMap(({ accounts }) => [...accounts]))

function guessByIds({ byName, suspects }: Index, about: readonly Entry[]): Guess {
  const weights = new Map<string, number>()
  const seen = new Set<Entry>(about)
  let reached: readonly Entry[] = about
  for (let step = 0; step <= STEPS; step += 1) {
    for (const { accounts } of reached)
      for (const account of accounts)
        weights.set(account, (weights.get(account) ?? 0) + 1 / (10 ** step * accounts.size))
    const next = new Set<Entry>()
    for (const { names, accounts } of reached) {
      // Beyond an account everything is that account's.
      if (accounts.size > 0) continue
      for (const name of names) {
        const named = byName.get(name) ?? []
        if (named.length > 200 || accountsOf(named).size > COMMON) continue
        for (const entry of named) if (!seen.has(entry)) next.add(entry)
      }
    }
    for (const entry of next) seen.add(entry)
    reached = [...next]
  }
  return certain(suspects, weights)
}

function guessByTime({ entries, suspects }: Index, about: readonly Entry[]): Guess {
  const moments = about.flatMap(({ trace: { times } }) => times)
  let nearest = Infinity
  let found = new Set<string>()
  for (const { accounts, trace } of entries) {
    if (accounts.size === 0 || accounts.size > COMMON) continue
    for (const time of trace.times)
      for (const moment of moments) {
        const distance = Math.abs(time - moment)
        if (distance < nearest) found = new Set()
        if (distance <= nearest) {
          nearest = distance
          for (const account of accounts) found.add(account)
        }
      }
  }
  return certain(suspects, new Map([...found].map((account) => [account, 1])))
}

function guessByOrder({ entries, suspects }: Index, about: readonly Entry[]): Guess {
  const firsts = about.flatMap(({ trace: { written } }) => written ?? [])
  const first = Math.min(...firsts)
  let last = -Infinity
  let found: ReadonlySet<string> = new Set()
  for (const { accounts, trace } of entries) {
    const { written } = trace
    if (accounts.size === 0 || written === null || written >= first || written <= last) continue
    last = written
    found = accounts
  }
  return certain(suspects, new Map([...found].map((account) => [account, 1])))
}

/** All on the heaviest; in equal parts where several are, or on everybody where nothing was found. */
function certain(suspects: readonly string[], weights: ReadonlyMap<string, number>): Guess {
  const heaviest = Math.max(0, ...weights.values())
  const likely =
    heaviest === 0 ? suspects : [...weights].filter(([, weight]) => weight === heaviest).map(([id]) => id)
  return new Map(likely.map((accountId) => [accountId, 1 / likely.length]))
}

function mix({ suspects }: Index, guesses: readonly Guess[]): Guess {
  const weights = new Map<string, number>()
  for (const guess of guesses)
    for (const [accountId, share] of guess) weights.set(accountId, (weights.get(accountId) ?? 0) + share)
  return certain(suspects, weights)
}
