import { setImmediate } from 'node:timers/promises'
import type { Address } from 'viem'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import { transactionId } from './build-transactions.ts'
import { createOriginCompleter } from './complete-origin.ts'
import { explainHolding, explainLots } from './explain-origin.ts'
import { createSourceGroups, type SourceGroups } from './group-sources.ts'
import { loadHistory, type History, type HistorySources } from './load-history.ts'
import {
  unknownOrigin,
  type HoldingId,
  type KnownTokens,
  type MoveId,
  type Origin,
  type Provenance,
} from './provenance.ts'
import type { Arrival } from './trace-movements.ts'

/** Addresses whose history is read and traced at a time: a few milliseconds, after which other requests have their turn. */
const SLICE = 100
/** Addresses of one answer that are read alone where they have too much history to be read with others. */
const MOST_ALONE = 8

/** What provenance is made from. */
export interface ProvenanceOptions extends HistorySources {
  secrets: Pick<TransientSecrets, 'digest'>
}

type OriginCompleter = ReturnType<typeof createOriginCompleter>

const keyOf = ({ chainId, address, token }: HoldingId) => `${chainId}:${address}:${token}`
/** A collectible is called by its contract and its number, which no catalogue knows. */
const isCollectible = (token: Address) => token.includes('/')
const moveKey = (move: MoveId) => `${transactionId(move)}:${keyOf(move)}`

/** Creates the explanation of where money comes from, over what the indexer keeps. */
export function createProvenance({ secrets, ...sources }: ProvenanceOptions): Provenance {
  const groupsOf = (accountId: string) =>
    createSourceGroups((text) => secrets.digest(`provenance of ${accountId}`, text))

  /** Gives every asked holding of the account its history, slice by slice. */
  async function eachSlice<Asked extends HoldingId>(
    accountId: string,
    asked: readonly Asked[],
    groups: SourceGroups,
    explain: (history: History, complete: OriginCompleter, one: Asked) => void,
    known?: KnownTokens,
  ): Promise<void> {
    /** @returns The addresses that had too much history for those beside them. */
    const read = async (slice: readonly [Address, Asked[]][]) => {
      const wanted = slice.flatMap(([, all]) => all)
      const history = await loadHistory(
        sources,
        accountId,
        slice.map(([address]) => address),
        wanted.flatMap(({ chainId, token }) => (isCollectible(token) ? [] : { chainId, address: token })),
        known,
      )
      const complete = createOriginCompleter(history, groups)
      for (const one of wanted) if (history.facts.has(one.address)) explain(history, complete, one)
      return slice.length === 1 ? [] : slice.filter(([address]) => history.isCrowded(address))
    }
    const byAddress = [...Map.groupBy(asked, ({ address }) => address)]
    const crowded: [Address, Asked[]][] = []
    for (let start = 0; start < byAddress.length; start += SLICE) {
      if (start > 0) await setImmediate()
      crowded.push(...(await read(byAddress.slice(start, start + SLICE))))
    }
    for (const one of crowded.slice(0, MOST_ALONE)) await read([one])
  }

  return {
    async explainHoldings(accountId, holdings, known) {
      const groups = groupsOf(accountId)
      const origins = new Map<string, Origin>()
      const receives = new Map<Address, readonly Arrival[]>()
      const explain = (history: History, complete: OriginCompleter, holding: HoldingId) => {
        const { address, chainId, token } = holding
        const held =
          history.facts.get(address)?.holdings.find((one) => one.chainId === chainId && one.token === token)
            ?.amount ?? 0n
        const origin = explainHolding(history.trace, { ...holding, held }, history.obstaclesOf(holding))
        origins.set(keyOf(holding), complete(origin, token))
        receives.set(address, history.trace.arrivals(address))
      }
      await eachSlice(accountId, holdings, groups, explain, known)
      return {
        of: (holding) => origins.get(keyOf(holding)) ?? unknownOrigin(holding.address, 'history_incomplete'),
        receivesOf(address, only) {
          const arrived = (receives.get(address) ?? []).filter(
            ({ chainId, token }) => !only || (chainId === only.chainId && token === only.token),
          )
          return {
            count: arrived.length,
            types: [...new Set(arrived.map(({ action }) => action))].toSorted(),
          }
        },
        groups: groups.all(),
      }
    },

    async explainMoves(accountId, moves) {
      const groups = groupsOf(accountId)
      const arrived = new Map<string, Origin>()
      const left = new Map<string, Origin>()
      await eachSlice(accountId, moves, groups, (history, complete, move) => {
        const { address, token } = move
        const found = history.trace.moved(transactionId(move), address, token)
        // What a holding is now says nothing about a move of the past.
        const { funding, association } = history.obstaclesOf(move)
        const obstacles = { funding: funding.filter((one) => one !== 'holding_stale'), association }
        for (const [told, lots] of [
          [arrived, found.arrived],
          [left, found.left],
        ] as const)
          if (lots.length > 0 || obstacles.funding.length > 0)
            told.set(moveKey(move), complete(explainLots(history.trace, address, lots, obstacles), token))
      })
      const of = (told: ReadonlyMap<string, Origin>) => (move: MoveId) =>
        told.get(moveKey(move)) ?? unknownOrigin(move.address, 'passed_through')
      return { arrived: of(arrived), left: of(left), groups: groups.all() }
    },
  }
}
