import type { OriginReason, UnresolvedReason } from '../../../relayer/account/provenance/explain-origin.ts'
import type { Origin, PrivateOrigin, SourceGroup } from '../../../relayer/account/provenance/provenance.ts'
import { type AnswerOf, createEncoder } from '../../define/encode.ts'
import { describeSource, describeGroups } from './describe-source.ts'
import { provenance } from './model.ts'
import { provenanceLabelGroups } from './source-model.ts'

type Provenance = AnswerOf<typeof provenance>
type Badge = Provenance['display']['badgeKind']

const OUT_OF_POOL = 'Paid out of a privacy pool'

const WHY_UNKNOWN: Readonly<Record<UnresolvedReason, string>> = {
  history_incomplete: 'The history of the address is still being read',
  untraced_native: 'The chain does not show all moves of its coin',
  holding_stale: 'The balance could not be read',
  too_much_history: 'The history of the address is too long',
  too_many_sources: 'Too many sources to tell them apart',
  passed_through: 'Nothing stayed at the address',
  pool_spend: OUT_OF_POOL,
}

const LABELS: Readonly<Record<Badge, string | null>> = {
  tagged: null,
  mixed: 'Several sources',
  older_funds: 'Older funds',
  unknown: 'Unknown origin',
  untagged: null,
}

const FUNDING_LABELS: Readonly<Record<OriginReason, string>> = {
  fresh_receive: 'Paid to this address',
  platform_action_output: 'Brought by an action of the account',
  mixed_current_outputs: 'Several sources',
  carried_source: 'Moved from own addresses',
  older_funds: 'From before the service watched the address',
  unavailable: 'Unknown origin',
}

/** Many answers contain the same origins. */
const told = new WeakMap<Origin, Provenance>()

/**
 * Describes the origin of funds with the member names of the contract; the same object each time.
 *
 * @param dappOrigin The app named by the request.
 */
export function describeOrigin(origin: Origin, dappOrigin?: string): Provenance {
  // Only the facts about apps depend on the request.
  if (dappOrigin !== undefined && origin.onlySource && origin.onlySource.apps.length > 0)
    return describe(origin, dappOrigin)
  const known = told.get(origin) ?? describe(origin)
  told.set(origin, known)
  return known
}

function describe(origin: Origin, dappOrigin?: string): Provenance {
  const { association, olderCount, unresolved } = origin
  const sourceCount = association.sources.length
  const olderFundsCount = association.hasOlder ? 1 : 0
  return {
    status: origin.reason === 'unavailable' ? 'unavailable' : 'resolved',
    outputSystemTags: origin.privateOrigins.map(describePrivateOrigin),
    sourceLabelGroupId: origin.directGroupId,
    olderFundsCount: olderCount,
    unresolvedReasons: unresolved,
    displayContext: {
      reason: origin.reason,
      currentOutputCount: origin.parts.length,
      sourceCount: origin.sources.length,
      actionTypes: origin.actions,
    },
    funding: {
      labelGroupId: origin.fundingGroupId,
      olderFundsCount: olderCount,
      unresolvedReasons: unresolved,
    },
    association: {
      status: association.status,
      labelGroupId: origin.associationGroupId,
      olderFundsCount,
      unresolvedReasons: association.unresolved,
      ignoredUnsolicitedCount: association.unsolicitedCount,
      summary: {
        sourceCount,
        userTaggedSourceCount: origin.userTaggedSourceCount,
        untaggedSourceCount: sourceCount - origin.userTaggedSourceCount,
        olderFundsCount,
        unknownCount: association.unresolved.length,
      },
    },
    display: describeDisplay(origin),
    editableSource: origin.onlySource && describeSource(origin.onlySource, dappOrigin),
  }
}

/** Users' tags have no text here: only the client can read them. */
function describeDisplay(origin: Origin): Provenance['display'] {
  const badgeKind = badgeOf(origin)
  return {
    badgeKind,
    label: labelOf(badgeKind, origin),
    fundingLabel: badgeKind === 'tagged' ? null : fundingLabelOf(origin),
    associationLabel: associationLabelOf(origin),
  }
}

function badgeOf({ reason, sources, olderCount, isTagged }: Origin): Badge {
  if (reason === 'unavailable') return 'unknown'
  if (reason === 'older_funds') return 'older_funds'
  if (isTagged && olderCount === 0) return 'tagged'
  return sources.length + (olderCount > 0 ? 1 : 0) > 1 ? 'mixed' : 'untagged'
}

const isAllPrivate = ({ sources }: Origin) =>
  sources.length > 0 && sources.every((source) => source.startsWith('private:'))

const labelOf = (badge: Badge, origin: Origin): string | null =>
  badge === 'untagged' && isAllPrivate(origin) ? 'Private' : LABELS[badge]

function fundingLabelOf(origin: Origin): string {
  const [why] = origin.unresolved
  if (why) return WHY_UNKNOWN[why]
  if (origin.reason === 'mixed_current_outputs')
    return `${origin.parts.length} parts from ${origin.sources.length} sources`
  return origin.reason === 'platform_action_output' && isAllPrivate(origin)
    ? OUT_OF_POOL
    : FUNDING_LABELS[origin.reason]
}

function associationLabelOf({ association: { status, sources, unresolved } }: Origin): string | null {
  const [why] = unresolved
  if (why) return WHY_UNKNOWN[why]
  if (status === 'clean') return null
  return status === 'linked'
    ? `Observers can join ${sources.length} sources`
    : 'Observers can join it with older funds'
}

/** The tag of funds from a pool, with the events of the chain that prove it. */
export const describePrivateOrigin = (origin: PrivateOrigin): Provenance['outputSystemTags'][number] => ({
  type: 'privacy-provider-origin',
  provider: 'privacy-pools',
  text: OUT_OF_POOL,
  explanationKey: 'privacy_provider_origin',
  evidence: {
    chainId: origin.chainId,
    txHash: origin.txHash,
    transferOrLogIndex: origin.index,
    receiveFromAddress: origin.entrypoint,
    poolAddress: origin.pool,
    entrypointAddress: origin.entrypoint,
    poolTransferOrLogIndex: origin.poolLogIndex,
  },
})

const encodeOrigin = createEncoder(provenance)
const encodeGroups = createEncoder(provenanceLabelGroups)

/** Writes origins as JSON, for documents that are signed with them. */
export const provenanceWriter = {
  origin: (origin: Origin): object => encodeOrigin(describeOrigin(origin)),
  groups: (groups: readonly SourceGroup[]): readonly object[] => encodeGroups(describeGroups(groups)),
}
