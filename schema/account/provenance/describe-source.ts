import type { Source, SourceGroup } from '../../../relayer/account/provenance/provenance.ts'
import type { AnswerOf } from '../../define/encode.ts'
import type { provenanceLabelGroups, provenanceSource } from './source-model.ts'

/**
 * A source with the member names of the contract.
 *
 * @param dappOrigin The app named by the request.
 */
export function describeSource(source: Source, dappOrigin?: string): AnswerOf<typeof provenanceSource> {
  const { id, kind, address, origin, tag } = source
  return {
    id,
    kind,
    origin: origin && { chainId: origin.chainId, txHash: origin.txHash, transferOrLogIndex: origin.index },
    address,
    tagPayloadCiphertext: tag?.ciphertext ?? null,
    tagPayloadUpdatedAt: tag?.updatedAt ?? null,
    tagEligibility: kind === 'private' ? 'private_origin' : 'eligible',
    tagEditable: kind === 'receive' || tag !== null,
    systemTags: describeUses(source, dappOrigin),
  }
}

function describeUses(
  { address, apps }: Source,
  dappOrigin: string | undefined,
): AnswerOf<typeof provenanceSource>['systemTags'] {
  const [latest] = apps
  if (!latest) return []
  const isMatched = apps.some(({ origin }) => origin === dappOrigin)
  return [
    {
      type: 'app-use',
      text: `Shown to ${latest.displayName}`,
      explanationKey: 'app_use',
      evidence: {
        address,
        origins: [...apps],
        matchedOrigin: isMatched && dappOrigin !== undefined ? dappOrigin : null,
        latestUsedAt: latest.lastUsedAt,
      },
    },
  ]
}

/** The groups that an answer names, with their sources. */
export const describeGroups = (
  groups: readonly SourceGroup[],
  dappOrigin?: string,
): AnswerOf<typeof provenanceLabelGroups> =>
  groups.map(({ id, sourceCount, sources }) => ({
    labelGroupId: id,
    sourceCount,
    truncated: sourceCount > sources.length,
    sources: sources.map((source) => describeSource(source, dappOrigin)),
  }))
