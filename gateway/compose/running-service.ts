import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import type { Services } from '../../relayer/services.ts'

/** A running service. */
export interface RunningService {
  url: string
  /** URL of the operator's pages; the same as `url` unless HOST admits other machines. */
  operatorUrl: string
  services: Services
  /** The started parts, as shown to people. */
  parts: {
    database: string
    sharedState: string
    chains: readonly ChainConfig[]
    devnetFile: string | null
    asp: string | null
    /** URL of the filler of the devnet's bridge. */
    across: string | null
    /** Parent of the accounts' names; null if none is configured. */
    nameParent: string | null
  }
  stop(): Promise<void>
}
