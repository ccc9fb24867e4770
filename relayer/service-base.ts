import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { SharedState } from '../db/shared-state/shared-state.ts'
import type { ProvingPool } from '../proving/proving-pool.ts'
import type { ShutdownList } from './concurrency/shutdown-list.ts'

/** The ground that every district stands on: opened before the districts, and closed after them. */
export interface ServiceBase {
  database: DatabasePool
  /** URL of the database for connections that need a session. */
  sessionUrl: string
  sharedState: SharedState
  proving: ProvingPool
  logger: Logger
  /** A district adds each of its parts as soon as it must be stopped. */
  shutdown: ShutdownList
}
