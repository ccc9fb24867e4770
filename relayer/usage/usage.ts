import type { DatabasePool } from 'slonik'
import { countUsage } from '../../db/usage/count-usage.ts'

/** How much the service is used: numbers alone, nothing of anybody. */
export interface Usage {
  accounts: number
  /** Quotes that were submitted, since the database was made. */
  sends: { underWay: number; confirmed: number; failed: number }
}

export async function readUsage(database: DatabasePool): Promise<Usage> {
  const { accounts, submitted, confirmed, failed } = await countUsage(database)
  return { accounts, sends: { underWay: submitted, confirmed, failed } }
}
