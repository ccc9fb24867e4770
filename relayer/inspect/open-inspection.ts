import { addressOfPrivateKey } from '../../proving/signing/address.ts'
import type { ChainServices } from '../chain/open-chains.ts'
import type { TokenDesk } from '../market/open-tokens.ts'
import type { RelayerChains } from '../pool/relay/relayer-chain.ts'
import type { ServiceBase } from '../service-base.ts'
import type { ClearSigningConfig } from './clear-signing/config.ts'
import { openClearSigning } from './clear-signing/create-clear-signing.ts'
import type { SignaturesConfig } from './function-signatures/config.ts'
import { createFunctionSignatures } from './function-signatures/create-function-signatures.ts'
import { createSimulations } from './simulation/create-simulations.ts'
import type { SenderOf } from './simulation/frame-calls.ts'
import type { SourcifyConfig } from './verified-sources/config.ts'
import { createVerifiedSources } from './verified-sources/create-verified-sources.ts'

/** The settings of inspection. */
export interface InspectionSettings {
  clearSigning: ClearSigningConfig
  signatures: SignaturesConfig
  sourcify?: SourcifyConfig | undefined
}

/** Opens simulation and clear signing: the effects and the meaning of a transaction before it is signed. */
export async function openInspection(
  { database, sessionUrl, proving, logger, shutdown }: ServiceBase,
  { chains }: ChainServices,
  { tokens }: TokenDesk,
  relayerChains: RelayerChains,
  config: InspectionSettings,
) {
  const { stop, ...clearSigning } = await openClearSigning({
    database,
    databaseUrl: sessionUrl,
    chains,
    tokens,
    config: config.clearSigning,
    logger,
  })
  shutdown.add('clear signing', stop)
  const functionSignatures = createFunctionSignatures({
    database,
    listFormats: clearSigning.listFormats,
    config: config.signatures,
    logger,
  })
  return {
    clearSigning,
    functionSignatures,
    simulations: createSimulations({
      database,
      chains,
      proving,
      tokens,
      signatures: functionSignatures,
      senderOf: openSenders(relayerChains),
      logger,
    }),
    verifiedSources: createVerifiedSources(chains, config.sourcify ?? false, logger),
  }
}

/** The first signer of sends of each chain represents all of them. */
function openSenders(chains: RelayerChains): SenderOf {
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
