import type { Origin, SourceGroup } from '../account/provenance/provenance.ts'
import type { ActivityItem, ActivityTransfer } from './activity.ts'

/** A transfer with the origin of its money; null if nothing is traced. */
export interface ExplainedTransfer extends ActivityTransfer {
  origin: Origin | null
}

/** An activity with the origins of its money. */
export type Explained<Item extends Pick<ActivityItem, 'transfers'>> = Omit<Item, 'transfers'> & {
  transfers: readonly ExplainedTransfer[]
  /** Origin of the spent amount, or of the arrived one if nothing was spent; null if nothing is traced. */
  sourceOrigin: Origin | null
}

/** Activities, and each group of sources that their origins name, once. */
export interface ExplainedItems<Item extends Pick<ActivityItem, 'transfers'>> {
  items: readonly Explained<Item>[]
  groups: readonly SourceGroup[]
}
