import { shuffle } from '../../pool-spending/linker/shuffle.ts'
import type { SeenAct } from './read-chain.ts'

/** An act with the account behind it, which serves scoring only. */
export interface KnownAct extends SeenAct {
  account: number
}

/** How well one way of linking finds the true partners, in percent, beside the same among permuted accounts. */
export interface LinkScore {
  method: string
  percent: number
  /** Mean of the same score over permuted accounts. */
  chance: number
  /** Standard deviation of that. */
  noise: number
}

/** For each candidate how much speaks for it. */
type Weigh = (act: SeenAct, candidates: readonly SeenAct[]) => number[]

const PERMUTATIONS = 200
/** A user types amounts with so few digits: multiples of 0.01 coins. */
const ROUND = 10n ** 16n

/**
 * Links each act to its partners among the candidates, by every method, from the chain's public data. A method names
 * the true partners with the share of its weight that falls on them.
 */
export function linkActs(acts: readonly KnownAct[], candidates: readonly KnownAct[]): LinkScore[] {
  return listMethods([...acts, ...candidates]).map(([method, weigh]) => {
    const guesses = acts.map((act) => {
      const others = candidates.filter(({ address }) => address !== act.address)
      const masses = normalize(weigh(act, others))
      return { act, suspected: others.map((other, place) => ({ other, mass: masses[place]! })) }
    })
    const scoreOf = (accounts: ReadonlyMap<SeenAct, number>) =>
      100 *
      average(
        guesses.map(({ act, suspected }) =>
          suspected.reduce(
            (sum, { other, mass }) => (accounts.get(other) === accounts.get(act) ? sum + mass : sum),
            0,
          ),
        ),
      )
    const truth = new Map([...acts, ...candidates].map((act) => [act as SeenAct, act.account]))
    const permuted = Array.from({ length: PERMUTATIONS }, () => {
      const mixed = shuffle(candidates.map(({ account }) => account))
      const others = new Map<SeenAct, number>(acts.map((act) => [act, act.account]))
      for (const [place, candidate] of candidates.entries()) others.set(candidate, mixed[place]!)
      return scoreOf(others)
    })
    const chance = average(permuted)
    const noise = Math.sqrt(average(permuted.map((one) => (one - chance) ** 2)))
    return { method, percent: scoreOf(truth), chance, noise }
  })
}

function listMethods(all: readonly SeenAct[]): [string, Weigh][] {
  const names = [...new Set(all.flatMap(({ marks }) => Object.keys(marks)))]
  const counts = new Map<string, number>()
  for (const { marks } of all)
    for (const [name, value] of Object.entries(marks))
      counts.set(`${name} ${value}`, (counts.get(`${name} ${value}`) ?? 0) + 1)
  const isEqual = (name: string, one: SeenAct, other: SeenAct) =>
    one.marks[name] !== undefined && one.marks[name] === other.marks[name]
  return [
    ...names.map((name): [string, Weigh] => [
      `equal ${name}`,
      (act, others) => others.map((other) => (isEqual(name, act, other) ? 1 : 0)),
    ]),
    ['round sum', (act, others) => others.map((other) => (isRound(act.amount + other.amount) ? 1 : 0))],
    ['equal amount', (act, others) => others.map((other) => (act.amount === other.amount ? 1 : 0))],
    ['nearest block', (act, others) => nearest(others.map(({ block }) => Math.abs(block - act.block)))],
    ['time', (act, others) => others.map(({ time }) => Math.exp(-Math.abs(time - act.time) / 5_000))],
    [
      // The rarer the marks that two acts share, the more they speak for one account.
      'all marks together',
      (act, others) => {
        const weights = others.map((other) =>
          names
            .filter((name) => isEqual(name, act, other))
            .reduce((sum, name) => sum + Math.log(all.length / counts.get(`${name} ${act.marks[name]}`)!), 0),
        )
        return nearest(weights.map((weight) => -weight))
      },
    ],
  ]
}

/** Rounding may add a unit for each of two shares. */
const isRound = (sum: bigint) => (sum + 2n) % ROUND <= 4n

/** All on those that are nearest. */
function nearest(distances: readonly number[]): number[] {
  const least = Math.min(...distances)
  return distances.map((distance) => (distance === least ? 1 : 0))
}

/** Adds up to 1; uniform if all weights are 0. */
function normalize(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => (sum > 0 ? weight / sum : 1 / weights.length))
}

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
