import type { Address } from 'viem'
import { readAccountVersion } from '../../../db/account/changes/account-version.ts'
import { createSlices } from '../../concurrency/next-slice.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import { keyOf as tokenKeyOf, type TokenId } from '../../market/tokens/token-id.ts'
import { keepForAccounts } from '../changes/keep-for-accounts.ts'
import { transactionId } from './build-transactions.ts'
import { explainHolding, explainLots, type HoldingOrigin } from './explain-origin.ts'
import {
  collectGroups,
  createSourceIds,
  describeSourceOf,
  labelOf,
  type SourceNames,
} from './group-sources.ts'
import {
  addOrigin,
  createKeptOrigins,
  isCurrent,
  noteHistory,
  nothingWorkedOut,
  originOf,
  weightOf,
  type KeptOrigins,
  type WorkedOut,
} from './kept-origins.ts'
import { loadHistory, readLeastTrusted, type History, type HistorySources } from './load-history.ts'
import {
  unknownOrigin,
  type ExplainedHoldings,
  type ExplainedMoves,
  type GivenFacts,
  type HoldingId,
  type KnownTokens,
  type MoveId,
  type Origin,
  type Provenance,
  type Source,
} from './provenance.ts'
import type { SourceId } from './movements.ts'

/** Addresses whose history is read and traced at a time. */
const SLICE = 100
/** Maximum of repeated reads per answer, for addresses with too much history to be read with others. */
const MOST_AGAIN = 8
/** Maximum of cached holdings and moves of all accounts together: under seven kilobytes each, with their texts. */
const MOST_KEPT = 6_000

/** Dependencies of provenance. */
export interface ProvenanceOptions extends HistorySources {
  secrets: TransientSecrets
}

type OriginCompleter = ReturnType<typeof createOriginCompleter>
/** Adds a requested item's origin, according to a history, to the results. */
type Explain<Asked> = (to: WorkedOut, history: History, complete: OriginCompleter, one: Asked) => void

const keyOf = ({ chainId, address, token }: HoldingId) => `${chainId}:${address}:${token}`
/** A collectible's id is its contract and its number, which no catalogue lists. */
const isCollectible = (token: Address) => token.includes('/')
const moveKey = (move: MoveId) => `${transactionId(move)}:${keyOf(move)}`

const explainPresent: Explain<HoldingId> = (to, history, complete, holding) => {
  const { address, chainId, token } = holding
  const held =
    history.facts.get(address)?.holdings.find((one) => one.chainId === chainId && one.token === token)
      ?.amount ?? 0n
  const origin = explainHolding(history.trace, { ...holding, held }, history.obstaclesOf(holding))
  addOrigin(to, holding, complete(origin, token))
  to.receives.set(address, history.trace.arrivals(address))
}

const explainMoved: Explain<MoveId> = (to, history, complete, move) => {
  const { address, token } = move
  const found = history.trace.moved(transactionId(move), address, token)
  // The state of the present holding does not concern a past move.
  const { funding, association } = history.obstaclesOf(move)
  const obstacles = { funding: funding.filter((one) => one !== 'holding_stale'), association }
  const originOf = (lots: typeof found.arrived) =>
    lots.length > 0 || obstacles.funding.length > 0
      ? complete(explainLots(history.trace, address, lots, obstacles), token)
      : null
  to.moves.set(moveKey(move), { arrived: originOf(found.arrived), left: originOf(found.left) })
}

/** The explanation of some items of one account. */
interface Work<Asked> {
  accountId: string
  explain: Explain<Asked>
  known: KnownTokens | undefined
  /** The account's results, which stay valid. */
  found: KeptOrigins
  /** Results for this answer alone. */
  once: WorkedOut
  paced: ReturnType<typeof createSlices>
}

/** An address with the items asked of it. */
type AskedOf<Asked> = [Address, Asked[]]

class IndexedProvenance implements Provenance {
  readonly #secrets: ProvenanceOptions['secrets']
  readonly #sources: HistorySources
  readonly #kept = keepForAccounts<KeptOrigins>(MOST_KEPT)

  constructor({ secrets, ...sources }: ProvenanceOptions) {
    this.#secrets = secrets
    this.#sources = sources
  }

  async explainHoldings(
    accountId: string,
    holdings: readonly HoldingId[],
    given: GivenFacts = {},
  ): Promise<ExplainedHoldings> {
    const found = await this.#recall(accountId, given)
    const before = found.explained.get(holdings)
    if (before) return before
    const missing = holdings.filter((one) => !originOf(found, one))
    const once = await this.#explainAll(accountId, missing, { found, explain: explainPresent, given })
    const find = (holding: HoldingId) => originOf(found, holding) ?? originOf(once, holding)
    const explained: ExplainedHoldings = {
      of: (holding) => find(holding) ?? unknownOrigin(holding.address, 'history_incomplete'),
      receivesOf(address, only) {
        const all = found.receives.get(address) ?? once.receives.get(address) ?? []
        const arrived = all.filter(
          ({ chainId, token }) => !only || (chainId === only.chainId && token === only.token),
        )
        return {
          count: arrived.length,
          types: [...new Set(arrived.map(({ action }) => action))].toSorted(),
        }
      },
      groups: collectGroups(holdings.flatMap((one) => find(one)?.named ?? [])),
    }
    if (once.origins.size === 0) found.explained.set(holdings, explained)
    return explained
  }

  async explainMoves(
    accountId: string,
    moves: readonly MoveId[],
    given: GivenFacts = {},
  ): Promise<ExplainedMoves> {
    const found = await this.#recall(accountId, given)
    const missing = moves.filter((one) => !found.moves.has(moveKey(one)))
    const once = await this.#explainAll(accountId, missing, { found, explain: explainMoved, given })
    const find = (move: MoveId) => {
      const key = moveKey(move)
      return found.moves.get(key) ?? once.moves.get(key)
    }
    const or = (move: MoveId, origin: Origin | null | undefined) =>
      origin ?? unknownOrigin(move.address, 'passed_through')
    return {
      arrived: (move) => or(move, find(move)?.arrived),
      left: (move) => or(move, find(move)?.left),
      groups: collectGroups(
        moves.flatMap((move) => {
          const { arrived, left } = find(move) ?? {}
          return [...(arrived?.named ?? []), ...(left?.named ?? [])]
        }),
      ),
    }
  }

  /** Returns the account's cached results if they are still valid, else empty ones. */
  async #recall(accountId: string, { known, version }: GivenFacts): Promise<KeptOrigins> {
    const sources = this.#sources
    const found = this.#kept.find(accountId)
    if (found && isCurrent(found, version ?? (await readAccountVersion(sources.database, accountId)))) {
      const { judged, watched } = found
      const moved = judged.ids()
      if (judged.isSame(await readLeastTrusted(sources, { asked: [], moved, watched }, known))) return found
    }
    // Equal sources keep their ids, whatever happened since.
    return createKeptOrigins(
      found?.ids ?? createSourceIds((text) => this.#secrets.digest(`provenance of ${accountId}`, text)),
    )
  }

  /**
   * Explains every requested item from its history, slice by slice. The result for an address that others crowded out
   * depends on them, so it belongs to this answer alone.
   */
  async #explainAll<Asked extends HoldingId>(
    accountId: string,
    asked: readonly Asked[],
    { found, explain, given }: { found: KeptOrigins; explain: Explain<Asked>; given: GivenFacts },
  ): Promise<WorkedOut> {
    const once = nothingWorkedOut()
    if (asked.length === 0) return once
    const work = { accountId, explain, known: given.known, found, once, paced: createSlices() }
    const byAddress = [...Map.groupBy(asked, ({ address }) => address)]
    let crowded: AskedOf<Asked>[] = []
    for (let start = 0; start < byAddress.length; start += SLICE)
      crowded.push(...(await this.#explainSlice(work, byAddress.slice(start, start + SLICE))))
    for (let again = 0; crowded.length > 0 && again < MOST_AGAIN; again += 1) {
      const left = await this.#explainSlice(work, crowded.slice(0, SLICE))
      // None of them can be read beside another: read the first alone, which settles its result.
      const isStuck = left.length === Math.min(crowded.length, SLICE)
      if (isStuck) await this.#explainSlice(work, crowded.slice(0, 1))
      crowded = [...(isStuck ? left.slice(1) : left), ...crowded.slice(SLICE)]
    }
    this.#kept.keep(accountId, found, weightOf(found))
    return once
  }

  /** @returns The addresses that had too much history for those beside them. */
  async #explainSlice<Asked extends HoldingId>(
    { accountId, explain, known, found, once, paced }: Work<Asked>,
    slice: readonly AskedOf<Asked>[],
  ): Promise<AskedOf<Asked>[]> {
    const history = await loadHistory(
      this.#sources,
      accountId,
      slice.map(([address]) => address),
      tokensOf(slice.flatMap(([, all]) => all)),
      found.judged,
      known,
    )
    noteHistory(found, history)
    const complete = createOriginCompleter(history, found.names)
    const crowded =
      slice.length === 1 ? new Set() : new Set(slice.filter(([address]) => history.isCrowded(address)))
    for (const one of slice)
      for (const holding of one[1]) {
        if (history.facts.has(holding.address))
          explain(crowded.has(one) ? once : found, history, complete, holding)
        const turn = paced()
        if (turn) await turn
      }
    return slice.filter((one) => crowded.has(one))
  }
}

/** Returns each token of the items once, without collectibles. */
function tokensOf(asked: readonly HoldingId[]): TokenId[] {
  const tokens = new Map(
    asked.flatMap(({ chainId, token }) => {
      const id = { chainId, address: token }
      return isCollectible(token) ? [] : [[tokenKeyOf(id), id]]
    }),
  )
  return [...tokens.values()]
}

/** Creates the explanation of origins, over the indexer's tables. */
export const createProvenance = (options: ProvenanceOptions): Provenance => new IndexedProvenance(options)

/** The owner's tags on sources. */
interface Labels {
  taggedCount: number
  /** Equal for equal sets of labels. */
  set: string
}

/** Returns a function that adds groups, tags and pool payments to the origin of a holding. */
function createOriginCompleter(history: History, names: SourceNames) {
  const { facts, trace } = history
  const labels = new Map<readonly SourceId[], Labels>()
  const describe = (id: SourceId): Source => describeSourceOf(id, facts, trace.origin(id))

  /** Cached: all addresses of a component share one array. */
  function labelsOf(sources: readonly SourceId[]): Labels {
    const known = labels.get(sources)
    if (known) return known
    const tagged = sources.map(describe).filter(({ tag }) => tag !== null)
    const names = new Set([...tagged.map(labelOf), ...(tagged.length < sources.length ? ['untagged'] : [])])
    const found = { taggedCount: tagged.length, set: [...names].toSorted().join() }
    labels.set(sources, found)
    return found
  }

  return (origin: HoldingOrigin, token: Address): Origin => {
    const sources = origin.sources.map(describe)
    const { taggedCount, set } = labelsOf(origin.association.sources)
    const funding = names.name(origin.sources, describe)
    const direct = names.name(origin.direct, describe)
    const association = names.name(origin.association.sources, describe)
    return {
      ...origin,
      mixGroup: origin.mixGroup === 'untagged' && taggedCount > 0 ? `tagged:${set}` : origin.mixGroup,
      fundingGroupId: funding?.id ?? null,
      directGroupId: direct?.id ?? null,
      associationGroupId: association?.id ?? null,
      named: [funding, direct, association].filter((group) => group !== null),
      userTaggedSourceCount: taggedCount,
      privateOrigins: origin.parts.flatMap(({ kind, receipt, to }) =>
        kind === 'private' && receipt
          ? (history.privateOriginOf({ id: transactionId(receipt), to, token }) ?? [])
          : [],
      ),
      describedSources: sources,
      onlySource: sources.length === 1 && origin.olderCount === 0 ? (sources[0] ?? null) : null,
      isTagged: sources.length > 0 && sources.every(({ tag }) => tag !== null),
    }
  }
}
