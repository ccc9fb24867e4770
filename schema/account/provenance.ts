import { z } from 'zod'
import { address } from '../define/wire-scalars.ts'

const status = z.enum(['resolved', 'unavailable']).meta({
  id: 'ProvenanceStatus',
  description: 'resolved: it was looked into. unavailable: it was not, or could not be.',
})
const reasons = z.array(z.string())
const index = z.int().nonnegative()

const outputSystemTag = z
  .object({
    type: z.literal('privacy-provider-origin'),
    provider: z.string(),
    text: z.string(),
    explanationKey: z.literal('privacy_provider_origin'),
    evidence: z
      .object({
        chainId: z.int(),
        txHash: z.string(),
        transferOrLogIndex: index,
        receiveFromAddress: address,
        poolAddress: address,
        entrypointAddress: address,
        poolTransferOrLogIndex: index.nullable(),
      })
      .meta({ id: 'PrivacyProviderEvidence', description: 'The transfer that shows where it came from.' }),
  })
  .meta({ id: 'OutputSystemTag', description: 'What the service itself knows of an origin.' })

const labelGroup = {
  labelGroupId: z.string().nullable(),
  olderFundsCount: z.int(),
  unresolvedReasons: reasons,
}

/** Where funds came from (api.md 2.9). */
export const provenance = z
  .object({
    status,
    outputSystemTags: z.array(outputSystemTag),
    sourceLabelGroupId: z.string().nullable(),
    olderFundsCount: z.int(),
    unresolvedReasons: reasons,
    displayContext: z
      .object({
        reason: z
          .enum([
            'fresh_receive',
            'platform_action_output',
            'mixed_current_outputs',
            'carried_source',
            'older_funds',
            'unavailable',
          ])
          .meta({ id: 'ProvenanceReason', description: 'What the present funds are made of.' }),
        currentOutputCount: z.int(),
        sourceCount: z.int(),
        actionTypes: z.array(z.string()),
      })
      .meta({ id: 'ProvenanceDisplayContext', description: 'Why it is shown so.' }),
    funding: z.object(labelGroup).meta({ id: 'ProvenanceFunding', description: 'Who paid.' }),
    association: z
      .object({
        status: z.enum(['clean', 'linked', 'unknown']).meta({
          id: 'ProvenanceAssociationStatus',
          description: 'linked: the funds connect the address with others.',
        }),
        ...labelGroup,
        ignoredUnsolicitedCount: z.int(),
        summary: z
          .object({
            sourceCount: z.int(),
            userTaggedSourceCount: z.int(),
            untaggedSourceCount: z.int(),
            olderFundsCount: z.int(),
            unknownCount: z.int(),
          })
          .meta({ id: 'ProvenanceAssociationSummary', description: 'The sources, counted.' }),
      })
      .meta({ id: 'ProvenanceAssociation', description: 'With whom the funds connect the address.' }),
    display: z
      .object({
        badgeKind: z
          .enum(['tagged', 'mixed', 'older_funds', 'unknown', 'untagged'])
          .meta({ id: 'ProvenanceBadge', description: 'Which badge to show.' }),
        label: z.string().nullable(),
        fundingLabel: z.string().nullable(),
        associationLabel: z.string().nullable(),
      })
      .meta({ id: 'ProvenanceDisplay', description: 'What to show of it.' }),
    editableSource: z.unknown().nullable(),
  })
  .meta({ id: 'Provenance', description: 'Where funds came from.' })

/** What is said of funds whose origin was not looked into; the reason is a key for programs. */
export function unavailableProvenance(reason: string): z.input<typeof provenance> {
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
