import type { Address } from 'viem'
import { z } from 'zod'
import type { AnswerOf } from '../define/encode.ts'
import { address } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'

const count = z.int()
const index = z.int().nonnegative()

const status = described(
  z.enum(['resolved', 'unavailable']),
  'resolved: the origin was traced. unavailable: it was not traced, or could not be.',
  { id: 'ProvenanceStatus' },
)

const labelGroupId = described(
  z.string().nullable(),
  'Entry of `provenanceLabelGroups` that labels this source; null without a label.',
)
const olderFundsCount = described(count, 'Receipts from before the service kept records.')
const unresolvedReasons = described(
  z.array(z.string()),
  'Keys for programs that say why a part of the origin is not known; empty when all of it is.',
)
const sourceCount = described(count, 'Distinct sources that the funds came from.')

const evidence = shape('PrivacyProviderEvidence', 'The transfer on chain that proves the origin.', {
  chainId: described(z.int(), 'EIP-155 id of the chain that the transfer was on.'),
  txHash: described(z.string(), 'Hash of the transaction that paid the address.'),
  transferOrLogIndex: described(
    index,
    'Index of the transfer’s log in its block; of native coins, the place of the call in the trace of the transaction.',
  ),
  receiveFromAddress: described(address, 'Address that the transfer came from.'),
  poolAddress: described(address, 'Contract of the pool that paid.'),
  entrypointAddress: described(address, 'Entrypoint contract of that pool.'),
  poolTransferOrLogIndex: described(
    index.nullable(),
    'Index of the pool’s event in its block; null where none was found.',
  ),
})

const outputSystemTag = shape('OutputSystemTag', 'A fact about the origin that the service found out.', {
  type: described(z.literal('privacy-provider-origin'), 'Kind of tag: paid out by a privacy provider.'),
  provider: described(z.string(), 'Privacy provider that paid, for example `privacy-pools`.'),
  text: described(z.string(), 'The tag in English, to show to a person.'),
  explanationKey: described(
    z.literal('privacy_provider_origin'),
    'Key by which a client looks up its own explanation.',
  ),
  evidence,
})

const displayContext = shape('ProvenanceDisplayContext', 'Why the origin is shown as it is.', {
  reason: described(
    z.enum([
      'fresh_receive',
      'platform_action_output',
      'mixed_current_outputs',
      'carried_source',
      'older_funds',
      'unavailable',
    ]),
    'What the present funds are made of.',
    { id: 'ProvenanceReason' },
  ),
  currentOutputCount: described(count, 'Receipts that make up the present balance.'),
  sourceCount,
  actionTypes: described(z.array(z.string()), 'Kinds of the account’s own actions that produced the funds.'),
})

const funding = shape('ProvenanceFunding', 'The source that paid the address.', {
  labelGroupId,
  olderFundsCount,
  unresolvedReasons,
})

const associationSummary = shape('ProvenanceAssociationSummary', 'How many sources there are of each kind.', {
  sourceCount,
  userTaggedSourceCount: described(count, 'Sources that the user has tagged.'),
  untaggedSourceCount: described(count, 'Sources that the user has not tagged.'),
  olderFundsCount,
  unknownCount: described(count, 'Receipts whose source is not known.'),
})

const association = shape(
  'ProvenanceAssociation',
  'Which other sources an observer links the address with, through the funds it holds.',
  {
    status: described(
      z.enum(['clean', 'linked', 'unknown']),
      'clean: the funds link the address with nobody. linked: they connect it with other sources.',
      { id: 'ProvenanceAssociationStatus' },
    ),
    labelGroupId,
    olderFundsCount,
    unresolvedReasons,
    ignoredUnsolicitedCount: described(count, 'Receipts left out because nobody asked for them.'),
    summary: associationSummary,
  },
)

const display = shape('ProvenanceDisplay', 'Texts and badge for a client to show.', {
  badgeKind: described(
    z.enum(['tagged', 'mixed', 'older_funds', 'unknown', 'untagged']),
    'Which badge a client shows beside the funds.',
    { id: 'ProvenanceBadge' },
  ),
  label: described(z.string().nullable(), 'Text of the badge; null where the badge has none.'),
  fundingLabel: described(z.string().nullable(), 'Text about who paid; null where there is none to show.'),
  associationLabel: described(
    z.string().nullable(),
    'Text about the links to other sources; null where there is none to show.',
  ),
})

/** Where funds came from. */
export const provenance = shape('Provenance', 'Where funds came from, as far as the service traced it.', {
  status,
  outputSystemTags: described(
    z.array(outputSystemTag),
    'Facts about the origin that the service found out; empty where it found none.',
  ),
  sourceLabelGroupId: labelGroupId,
  olderFundsCount,
  unresolvedReasons,
  displayContext,
  funding,
  association,
  display,
  editableSource: described(
    z.unknown().nullable(),
    'The source that the user may tag; null where no source can be tagged.',
  ),
})

/** The answer for funds whose origin was not traced; the reason is a key for programs. */
export function unavailableProvenance(reason: string): AnswerOf<typeof provenance> {
  const group = { labelGroupId: null, olderFundsCount: 0, unresolvedReasons: [reason] }
  return {
    status: 'unavailable',
    outputSystemTags: [],
    sourceLabelGroupId: null,
    olderFundsCount: 0,
    unresolvedReasons: [reason],
    displayContext: { reason: 'unavailable', currentOutputCount: 0, sourceCount: 0, actionTypes: [] },
    funding: group,
    association: {
      status: 'unknown',
      ...group,
      ignoredUnsolicitedCount: 0,
      summary: {
        sourceCount: 0,
        userTaggedSourceCount: 0,
        untaggedSourceCount: 0,
        olderFundsCount: 0,
        unknownCount: 0,
      },
    },
    display: { badgeKind: 'unknown', label: null, fundingLabel: null, associationLabel: null },
    editableSource: null,
  }
}

/** The tag of what came out of a pool, with the events of the chain that show it. */
export const describePrivateOrigin = (origin: {
  chainId: number
  txHash: string
  index: number
  entrypoint: Address
  pool: Address
  poolLogIndex: number
}): AnswerOf<typeof outputSystemTag> => ({
  type: 'privacy-provider-origin',
  provider: 'privacy-pools',
  text: 'Paid out of a privacy pool',
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
