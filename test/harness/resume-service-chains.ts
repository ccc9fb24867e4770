import type { z } from 'zod'
import { devnetConfig } from '../../gateway/config/devnet-config.ts'
import { resumeDeployedChains } from './resume-deployed-chains.ts'
import { VECTOR_CHAIN_ID } from '../vectors/relay-story.ts'

/** The chain of `VECTOR_DEVNET` in service-process.ts. */
const VECTOR_CHAIN = { chainIds: [VECTOR_CHAIN_ID], deterministic: true }

/**
 * Copies chains with deployed contracts into the folder of a service before it starts, which then need not deploy them.
 * @param dataDir The service's DATA_DIR.
 * @param devnet The same settings as in the service's environment.
 */
export const resumeServiceChains = (
  dataDir: string,
  devnet: z.input<typeof devnetConfig> = VECTOR_CHAIN,
  deployed: { hasVectorDeposits?: boolean } = {},
): Promise<void> => resumeDeployedChains(dataDir, devnetConfig.parse(devnet), deployed)

/** The same with the vectors' deposits and the ASP root on the chain. */
export const resumeVectorDeposits = (dataDir: string): Promise<void> =>
  resumeServiceChains(dataDir, VECTOR_CHAIN, { hasVectorDeposits: true })
