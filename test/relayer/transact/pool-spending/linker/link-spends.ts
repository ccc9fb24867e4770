import type { Trace } from './take-dump.ts'

/** The known traces of an account that deposited: its row in the database, its deposit on the chain. */
export interface Suspect {
  /** Words that name it: ids, addresses, label. */
  words: readonly string[]
}

/** A withdrawal as the chain shows it, in the order of the chain. */
export interface SeenSpend {
  /** nullifierHash, transaction, change, recipient. */
  words: readonly string[]
  /** Milliseconds since 1970. */
  time: number
  /** Smallest unit. */
  withdrawn: bigint
  /** Index of the suspect that made it: read for learning and scoring only. */
  truth: number
}

/** A method of guessing, by name: for each spend how likely each suspect is, adding up to 1. */
interface Method {
  name: string
  /** @param taught Spends whose maker the linker knows. */
  guess(taught: ReadonlySet<number>): readonly (readonly number[])[]
}

export interface Score {
  /** Percent: how likely the linker takes the true account, on average. */
  percent: number
  /** Of all spends, how many its best guess hits; ties count in parts. */
  hits: number
  /** The methods that it followed, for either half. */
  followed: readonly string[]
  /** The methods that would have been best for all spends, as only somebody who knows the truth can choose. */
  best: readonly { name: string; percent: number }[]
}

/**
 * Guesses for each spend who made it. It knows the truth about one half of the spends and takes the method that is best
 * for them. The other half scores that method; then the halves swap. So a method that is right by chance gains nothing.
 */
export function linkSpends(
  suspects: readonly Suspect[],
  spends: readonly SeenSpend[],
  traces: readonly Trace[],
): Score {
  const methods = listMethods(suspects, spends, traces)
  const halves = [0, 1].map((half) => new Set(spends.keys().filter((place) => place % 2 === half)))
  const massOf = (guesses: readonly (readonly number[])[], of: Iterable<number>) =>
    average([...of].map((place) => guesses[place]![spends[place]!.truth]!))
  const scored = halves.map((taught, place) => {
    const guessed = methods.map((method) => ({ name: method.name, guesses: method.guess(taught) }))
    const best = guessed.reduce((one, other) =>
      massOf(other.guesses, taught) > massOf(one.guesses, taught) ? other : one,
    )
    return { name: best.name, guesses: best.guesses, asked: [...halves[1 - place]!] }
  })
  const asked = scored.flatMap(({ guesses, asked: places }) =>
    places.map((place) => ({ guess: guesses[place]!, truth: spends[place]!.truth })),
  )
  const all = new Set(spends.keys())
  const best = methods
    .map((method) => ({ name: method.name, percent: 100 * massOf(method.guess(all), all) }))
    .toSorted((one, other) => other.percent - one.percent)
  return {
    percent: 100 * average(asked.map(({ guess, truth }) => guess[truth]!)),
    hits: asked.reduce((sum, { guess, truth }) => {
      const most = Math.max(...guess)
      return sum + (guess[truth] === most ? 1 / guess.filter((mass) => mass === most).length : 0)
    }, 0),
    followed: scored.map(({ name }) => name),
    best: best.slice(0, 8),
  }
}

/** Something that an account did, by a clock: it may be the spend's beginning or its echo. */
interface Deed {
  suspect: number
  at: number
}

function listMethods(
  suspects: readonly Suspect[],
  spends: readonly SeenSpend[],
  traces: readonly Trace[],
): Method[] {
  const byWord = indexWords(traces)
  const naming = (words: readonly string[]) => new Set(words.flatMap((word) => byWord.get(word) ?? []))
  const ofSuspects = suspects.map(({ words }) => naming(words))
  const named = spends.map(({ words }) => naming(words))
  const ofSpends = named.map((rows) => followIds(rows, byWord))
  const fixed = (name: string, guesses: readonly (readonly number[])[]): Method => ({
    name,
    guess: () => guesses,
  })

  const nobody = suspects.map(() => 0)
  const methods = [
    fixed('chance', Array(spends.length).fill(normalize(nobody))),
    fixed('ids', guessByIds(ofSuspects, ofSpends, traces)),
  ]
  const clocks = {
    time: spends.map(({ time }, place) => firstTime(named[place]!, traces) ?? time),
    xmin: ofSpends.map((rows) => firstXmin(rows, traces)),
  }
  const sources = Map.groupBy(
    ofSuspects.flatMap((rows, suspect) => [...rows].map((row) => ({ suspect, trace: traces[row]! }))),
    ({ trace }) => trace.source,
  )
  for (const [source, found] of sources) {
    const deedsBy = (name: string, read: (trace: Trace) => number | null | undefined) => ({
      name: `${source} by ${name}`,
      deeds: found.flatMap(({ suspect, trace }): Deed[] => {
        const at = read(trace)
        return at == null ? [] : [{ suspect, at }]
      }),
    })
    const members = (pick: (trace: Trace) => object) => [
      ...new Set(found.flatMap(({ trace }) => Object.keys(pick(trace)))),
    ]
    for (const name of members(({ times }) => times))
      methods.push(
        ...guessByClock(
          deedsBy(name, ({ times }) => times[name]),
          clocks.time,
          suspects.length,
        ),
      )
    methods.push(
      ...guessByClock(
        deedsBy('xmin', ({ xmin }) => xmin),
        clocks.xmin,
        suspects.length,
      ),
    )
    for (const name of [...members(({ orders }) => orders), 'order of xmin'])
      methods.push(
        ...guessByOrder(
          deedsBy(name, ({ orders, xmin }) => (name === 'order of xmin' ? xmin : orders[name])),
          spends.length,
          suspects.length,
        ),
      )
    const weigh = (name: string, read: (trace: Trace) => number) => {
      const weights = suspects.map((_, suspect) =>
        found.reduce((sum, one) => sum + (one.suspect === suspect ? read(one.trace) : 0), 0),
      )
      methods.push(
        fixed(
          `${source} by ${name}`,
          spends.map(() => normalize(weights)),
        ),
      )
    }
    weigh('number of rows', () => 1)
    for (const name of members(({ sizes }) => sizes))
      weigh(`size of ${name}`, ({ sizes }) => sizes[name] ?? 0)
    const isIn = new Set(found.map(({ suspect }) => suspect))
    if (isIn.size < suspects.length) methods.push(guessByValue(source, isIn, spends, suspects.length))
  }
  return methods
}

function indexWords(traces: readonly Trace[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  traces.forEach(({ words }, place) => {
    for (const word of words) index.set(word, [...(index.get(word) ?? []), place])
  })
  return index
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^0x[0-9a-f]{64}$/

/** Rows of a spend name other rows by id, those of its transaction for example. Ids of many rows name no spend. */
function followIds(
  rows: ReadonlySet<number>,
  byWord: ReadonlyMap<string, readonly number[]>,
): ReadonlySet<number> {
  const found = new Set(rows)
  for (const [word, places] of byWord)
    if (ID.test(word) && places.length <= 8 && places.some((place) => rows.has(place)))
      for (const place of places) found.add(place)
  return found
}

function guessByIds(
  ofSuspects: readonly ReadonlySet<number>[],
  ofSpends: readonly ReadonlySet<number>[],
  traces: readonly Trace[],
): number[][] {
  const wordsIn = (rows: ReadonlySet<number>) => new Set([...rows].flatMap((row) => traces[row]!.words))
  const spoken = ofSuspects.map(wordsIn)
  const speakers = new Map<string, number>()
  for (const words of spoken) for (const word of words) speakers.set(word, (speakers.get(word) ?? 0) + 1)
  return ofSpends.map((rows) => {
    const words = [...wordsIn(rows)].filter((word) => speakers.has(word))
    return normalize(
      spoken.map((own) =>
        words.reduce((sum, word) => sum + (own.has(word) ? (1 / speakers.get(word)!) ** 2 : 0), 0),
      ),
    )
  })
}

const firstXmin = (rows: ReadonlySet<number>, traces: readonly Trace[]): number =>
  [...rows].reduce((first, row) => Math.min(first, traces[row]!.xmin ?? Infinity), Infinity)

/** When the service first heard of a spend, which is before the chain's time; null where the database has no time of it. */
function firstTime(rows: ReadonlySet<number>, traces: readonly Trace[]): number | null {
  const times = [...rows].flatMap((row) => Object.values(traces[row]!.times))
  return times.length === 0 ? null : Math.min(...times)
}

/** How far apart a deed and its spend may be, in mean distances of two spends. */
const REACHES = [0.5, 2, 8]

interface Found {
  name: string
  deeds: readonly Deed[]
}

/** Guesses the accounts that did something shortly before a spend, or shortly after. */
function guessByClock({ name, deeds }: Found, moments: readonly number[], suspects: number): Method[] {
  if (new Set(deeds.map(({ at }) => at)).size < 2) return []
  const sorted = moments.filter(Number.isFinite).toSorted((one, other) => one - other)
  const gap = (sorted.at(-1)! - sorted[0]!) / Math.max(1, sorted.length - 1)
  return [1, -1].flatMap((direction) =>
    REACHES.map((reach) => {
      const guesses = moments.map((moment) =>
        normalize(
          addDeeds(deeds, suspects, ({ at }) => {
            const distance = (direction * (moment - at)) / (gap * reach)
            return distance < 0 || Number.isNaN(distance) ? 0 : Math.exp(-distance)
          }),
        ),
      )
      const words = `${name}, within ${reach} ${direction > 0 ? 'before' : 'after'}`
      return { name: words, guess: () => guesses }
    }),
  )
}

/** Guesses the account whose deeds stand as far along in their order as the spend in its own. */
function guessByOrder({ name, deeds }: Found, spends: number, suspects: number): Method[] {
  if (new Set(deeds.map(({ at }) => at)).size < 2) return []
  const placed = deeds
    .toSorted((one, other) => one.at - other.at)
    .map(({ suspect }, place, all) => ({ suspect, at: (place + 0.5) / all.length }))
  return REACHES.map((reach) => {
    const guesses = Array.from({ length: spends }, (_, place) =>
      normalize(
        addDeeds(placed, suspects, ({ at }) =>
          Math.exp((-Math.abs(at - (place + 0.5) / spends) * spends) / reach),
        ),
      ),
    )
    return { name: `order of ${name}, within ${reach}`, guess: () => guesses }
  })
}

/** Guesses the accounts with rows of a kind, if they spend other amounts than the accounts without. */
function guessByValue(
  source: string,
  isIn: ReadonlySet<number>,
  spends: readonly SeenSpend[],
  suspects: number,
): Method {
  return {
    name: `${source} by value`,
    guess(taught) {
      return spends.map(({ withdrawn }, place) => {
        const like = [...taught].filter((other) => other !== place && spends[other]!.withdrawn === withdrawn)
        const share =
          (like.filter((other) => isIn.has(spends[other]!.truth)).length + isIn.size / suspects) /
          (like.length + 1)
        return Array.from({ length: suspects }, (_, suspect) =>
          isIn.has(suspect) ? share / isIn.size : (1 - share) / (suspects - isIn.size),
        )
      })
    },
  }
}

function addDeeds(deeds: readonly Deed[], suspects: number, weigh: (deed: Deed) => number): number[] {
  const sums = Array.from({ length: suspects }, () => 0)
  for (const deed of deeds) sums[deed.suspect]! += weigh(deed)
  return sums
}

const FLOOR = 1e-9
/** Weighs all accounts alike if nothing speaks for any. */
function normalize(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight + FLOOR, 0)
  return weights.map((weight) => (weight + FLOOR) / sum)
}

const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
