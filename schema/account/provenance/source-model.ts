import { z } from 'zod'
import { address, base64Text, chainId, moment } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'
import { usedApp } from '../addresses/model.ts'

/** Place of a transfer on its chain. */
export const transferIndex = described(
  z.int().nonnegative(),
  'Index of the transfer’s log in its block; of native coins, the place of the call in the trace of the transaction.',
)
export const txHash = described(
  z.string(),
  'Hash of the transaction that paid the address; its transfers show who sent what.',
)

const sourceOrigin = shape(
  'ProvenanceSourceOrigin',
  'The transfer by which a source’s money first arrived.',
  {
    chainId,
    txHash,
    transferOrLogIndex: transferIndex,
  },
)

const shownTo = shape('ProvenanceApp', 'An app that the address of a source was shown.', {
  ...usedApp.shape,
  lastUsedAt: described(moment, 'When the address was last shown to the app.'),
})

const appEvidence = shape(
  'ProvenanceAppEvidence',
  'What the service was told by the account’s clients: which apps they showed the address. No chain shows it.',
  {
    address: described(address, 'The account’s address that was shown.'),
    origins: described(z.array(shownTo), 'The apps, the one that it was shown last first.'),
    matchedOrigin: described(
      z.string().nullable(),
      'The origin that the request named as `dappOrigin`, if it is one of these; null otherwise.',
    ),
    latestUsedAt: described(moment, 'When the address was last shown to any of them.'),
  },
)

const sourceTag = shape('ProvenanceSourceTag', 'A fact about the address of a source.', {
  type: described(z.literal('app-use'), 'Kind of tag: apps were shown the address.'),
  text: described(z.string(), 'The tag in English, to show to a person.'),
  explanationKey: described(z.literal('app_use'), 'Key by which a client looks up its own explanation.'),
  evidence: appEvidence,
})

/** A source of the account's money. */
export const provenanceSource = shape(
  'ProvenanceSource',
  'An address of the account at which money arrived.',
  {
    id: described(z.string(), '`kind`, a colon and `address`: the same in every answer.', {
      examples: ['receive:0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
    }),
    kind: described(
      z.enum(['receive', 'private']),
      'receive: it was paid in the open. private: it was paid out of a pool.',
      { id: 'ProvenanceSourceKind' },
    ),
    origin: described(
      sourceOrigin.nullable(),
      'The first transfer that made it a source; null where it is not known.',
    ),
    address: described(address, 'The account’s address that the money arrived at, and that a tag is on.'),
    tagPayloadCiphertext: described(
      base64Text.nullable(),
      'The tag on the address, base64 of what the client encrypted; null without one.',
    ),
    tagPayloadUpdatedAt: described(moment.nullable(), 'When the tag was last written; null without one.'),
    tagEligibility: described(
      z.enum(['eligible', 'private_origin']),
      'eligible: a tag says who paid. private_origin: nobody can tell who paid, as a pool did.',
      { id: 'TagEligibility' },
    ),
    tagEditable: described(
      z.boolean(),
      'True where a client offers to write or clear the tag: of all that is eligible or has one.',
    ),
    systemTags: described(
      z.array(sourceTag),
      'What the service knows of the address besides transfers; empty for one that no app was shown.',
    ),
  },
)

export const provenanceLabelGroup = shape('ProvenanceLabelGroup', 'Sources that are named together.', {
  labelGroupId: described(
    z.string(),
    'Opaque. The same sources have the same id in every answer to the account, and another for each other account.',
  ),
  sourceCount: described(z.int(), 'Number of its sources.'),
  truncated: described(z.boolean(), 'True when not all of them are in `sources`.'),
  sources: described(z.array(provenanceSource), 'Its sources in the order of their ids, 64 at most.'),
})

/** The groups that the provenance of an answer's entries names. */
export const provenanceLabelGroups = described(
  z.array(provenanceLabelGroup),
  'Every group of sources that entries of this answer name by `labelGroupId`, once; empty where they name none.',
)
