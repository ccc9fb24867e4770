import { addressOfPrivateKey } from '../../proving/signing/address.ts'
import { createSimulations } from '../../relayer/inspect/simulation/create-simulations.ts'
import { openClearSigning } from '../../relayer/inspect/clear-signing/create-clear-signing.ts'
import { createFunctionSignatures } from '../../relayer/inspect/function-signatures/create-function-signatures.ts'
import type { SenderOf } from '../../relayer/inspect/simulation/frame-calls.ts'
import { createVerifiedSources } from '../../relayer/inspect/verified-sources/create-verified-sources.ts'
import type { Foundations } from './foundations.ts'
import type { HoldingParts } from './open-holdings.ts'
import type { RelayParts } from './open-relay.ts'

export type InspectionParts = Awaited<ReturnType<typeof openInspection>>

/** Simulation and clear signing: the effects and the meaning of a transaction before it is signed. */
export async function openInspection(
  { config, logger, pool, sessionUrl, shutdown, proving }: Foundations,
  { chains, relayerChains }: RelayParts,
  { tokens }: HoldingParts,
) {
  const clearSigning = await openClearSigning({
    database: pool,
    databaseUrl: sessionUrl,
    chains,
    tokens,
    config: config.clearSigning,
    logger,
  })
  shutdown.add('clear signing', () => clearSigning.stop())
  const functionSignatures = createFunctionSignatures({
    database: pool,
    listFormats: clearSigning.listFormats,
    config: config.signatures,
    logger,
  })
  return {
    clearSigning,
    functionSignatures,
    simulations: createSimulations({
      database: pool,
      chains,
      proving,
      tokens,
      signatures: functionSignatures,
      senderOf: openSenders(relayerChains),
      logger,
    }),
    verifiedSources: createVerifiedSources({ chains, config: config.sourcify ?? false, logger }),
  }
}

/** The first signer of sends of each chain represents all of them. */
function openSenders(chains: RelayParts['relayerChains']): SenderOf {
  const signers = new Map(
    [...chains].flatMap(([chainId, { chain }]) => {
      const [key] = chain.config.relayer.signerKeys
      return key ? [[chainId, addressOfPrivateKey(key)] as const] : []
    }),
  )
  return (chainId) => {
    const signer = signers.get(chainId)
    const gasPrice = chains.get(chainId)?.gasPrices.gasPrice() ?? null
    return signer && gasPrice !== null ? { signer, gasPrice } : null
  }
}
