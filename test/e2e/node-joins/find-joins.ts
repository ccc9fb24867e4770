import type { TimedBody } from '../../harness/count-rpc.ts'

/** Which account each address belongs to, by the address in lower case without 0x. */
export type Owners = ReadonlyMap<string, string>

/** The addresses that a text names, in lower case without 0x. */
export const namedIn = (text: string, owners: Owners): string[] => {
  const lower = text.toLowerCase()
  return [...owners.keys()].filter((address) => lower.includes(address))
}

/** Addresses of an account that something joins by its nature, from a time on. */
export interface Joined {
  addresses: readonly string[]
  at: number
}

/** Whether all of these are joined by then anyway. */
export const isJoined = (addresses: readonly string[], at: number, joined: readonly Joined[]) =>
  joined.some((one) => one.at <= at && addresses.every((address) => one.addresses.includes(address)))

/** A request that names several addresses of one account. */
export interface JoinedRequest {
  at: number
  account: string
  addresses: string[]
  methods: string[]
}

/** The requests of a node that name two addresses of one account, in one call or in several, that are not joined anyway. */
export function findJoinedRequests(
  recorded: readonly TimedBody[],
  owners: Owners,
  joined: readonly Joined[],
): JoinedRequest[] {
  return recorded.flatMap(({ at, body }) => {
    const byAccount = Map.groupBy(namedIn(body, owners), (address) => owners.get(address)!)
    const calls = [JSON.parse(body)].flat() as { method: string }[]
    return [...byAccount]
      .filter(([, addresses]) => addresses.length > 1 && !isJoined(addresses, at, joined))
      .map(([account, addresses]) => ({ at, account, addresses, methods: calls.map(({ method }) => method) }))
  })
}

/** When a node was asked about an address. */
interface Sighting {
  at: number
  address: string
}

/** How often a linker was right, and how often it would be if the accounts of the addresses were drawn by lot. */
export interface LinkScore {
  guesses: number
  precision: number
  chance: number
}

const SHUFFLES = 200

/**
 * Joins each asked address with the next one in time, if at most so many milliseconds lie between. Pairs that are
 * joined anyway do not count.
 */
export function linkByTime(
  recorded: readonly TimedBody[],
  owners: Owners,
  { windowMs, joined }: { windowMs: number; joined: readonly Joined[] },
): LinkScore {
  const seen = recorded
    .flatMap(({ at, body }): Sighting[] => namedIn(body, owners).map((address) => ({ at, address })))
    .toSorted((one, other) => one.at - other.at)
  const guesses = seen.flatMap(({ at, address }, place) => {
    const others = [nextOther(seen, place, -1), nextOther(seen, place, 1)].filter((one) => one !== null)
    const [nearest] = others.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))
    if (!nearest || Math.abs(nearest.at - at) > windowMs) return []
    return isJoined([address, nearest.address], at, joined) ? [] : [[address, nearest.address] as const]
  })
  const share = (of: Owners) =>
    guesses.length === 0
      ? 0
      : guesses.filter(([one, other]) => of.get(one) === of.get(other)).length / guesses.length
  const shuffled = Array.from({ length: SHUFFLES }, () => share(shuffle(owners)))
  return {
    guesses: guesses.length,
    precision: share(owners),
    chance: shuffled.reduce((sum, one) => sum + one, 0) / SHUFFLES,
  }
}

/** The first sighting of another address, going back or on from a place. */
function nextOther(seen: readonly Sighting[], place: number, step: 1 | -1): Sighting | null {
  for (let at = place + step; at >= 0 && at < seen.length; at += step)
    if (seen[at]!.address !== seen[place]!.address) return seen[at]!
  return null
}

/** The same accounts, each with as many addresses, drawn by lot. */
function shuffle(owners: Owners): Owners {
  const accounts = [...owners.values()]
  for (let last = accounts.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1))
    ;[accounts[last], accounts[other]] = [accounts[other]!, accounts[last]!]
  }
  return new Map([...owners.keys()].map((address, place) => [address, accounts[place]!]))
}
