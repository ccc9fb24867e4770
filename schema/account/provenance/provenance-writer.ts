import type { Origin, SourceGroup } from '../../../relayer/account/provenance/provenance.ts'
import { createEncoder } from '../../define/encode.ts'
import { describeGroups } from './describe-source.ts'
import { describeOrigin } from './describe-origin.ts'
import { provenance } from './model.ts'
import { provenanceLabelGroups } from './source-model.ts'

const encodeOrigin = createEncoder(provenance)
const encodeGroups = createEncoder(provenanceLabelGroups)

/** Writes origins as JSON, for documents that are signed with them. */
export const provenanceWriter = {
  origin: (origin: Origin): object => encodeOrigin(describeOrigin(origin)),
  groups: (groups: readonly SourceGroup[]): readonly object[] => encodeGroups(describeGroups(groups)),
}
