import type { Origin, SourceGroup } from '../account/provenance/provenance.ts'
import type { ActivityItem, ActivityTransfer } from './activity.ts'

/** A transfer, and where its money came from; null where nothing is traced. */
export interface ExplainedTransfer extends ActivityTransfer {
  origin: Origin | null
}

/** An activity, and where its money came from. */
export type Explained<Item extends Pick<ActivityItem, 'transfers'>> = Omit<Item, 'transfers'> & {
  transfers: readonly ExplainedTransfer[]
  /** Of what was spent, or of what arrived where nothing was; null where nothing is traced. */
  sourceOrigin: Origin | null
}

/** Activities, and each group of sources that their origins name, once. */
export interface ExplainedItems<Item extends Pick<ActivityItem, 'transfers'>> {
  items: readonly Explained<Item>[]
  groups: readonly SourceGroup[]
}
