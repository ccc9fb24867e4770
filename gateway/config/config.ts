import { z } from 'zod'
import { storageConfig } from '../../db/config.ts'
import { provingConfig } from '../../proving/config.ts'
import { accountsConfig } from '../../relayer/account/profile/config.ts'
import { feeWaiversConfig } from '../../relayer/account/fee-waivers/config.ts'
import { collectiblesConfig } from '../../relayer/account/collectible/config.ts'
import { referralsConfig } from '../../relayer/account/referrals/config.ts'
import { namesConfig } from '../../relayer/account/subdomains/config.ts'
import { appsConfig } from '../../relayer/account/apps/config.ts'
import { addressesConfig } from '../../relayer/account/addresses/config.ts'
import { broadcastConfig } from '../../relayer/chain/broadcast/config.ts'
import { chainConfig } from '../../relayer/chain/nodes/config.ts'
import { devnetConfig } from './devnet-config.ts'
import { tokensConfig } from '../../relayer/market/tokens/config.ts'
import { identityConfig } from '../../relayer/identity/config.ts'
import { pricesConfig } from '../../relayer/market/prices/config.ts'
import { indexerConfig } from '../../relayer/chain/indexer/config.ts'
import { screeningConfig } from '../../relayer/transact/screening/config.ts'
import { clearSigningConfig } from '../../relayer/inspect/clear-signing/config.ts'
import { signaturesConfig } from '../../relayer/inspect/function-signatures/config.ts'
import { sourcifyConfig } from '../../relayer/inspect/verified-sources/config.ts'
import { transactConfig } from '../../relayer/transact/config.ts'
import { withdrawalsConfig } from '../../relayer/pool/relay/config.ts'
import { httpConfig } from '../http/http-config.ts'
import { upkeepConfig } from '../upkeep/config.ts'

/** All settings. Each district defines its part beside the code that it configures. */
export const serviceConfig = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(4_000),
  /** Host of the operator's pages if `host` is not a loopback address; otherwise they are on `port`. */
  operatorHost: z.string().min(1).default('127.0.0.1'),
  operatorPort: z.int().min(0).max(65_535).default(4_001),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  storage: storageConfig.prefault({}),
  upkeep: upkeepConfig.prefault({}),
  http: httpConfig,
  proving: provingConfig.prefault({}),
  broadcast: broadcastConfig.prefault({}),
  withdrawals: withdrawalsConfig.prefault({}),
  indexer: indexerConfig.prefault({}),
  identity: identityConfig.prefault({}),
  accounts: accountsConfig.prefault({}),
  addresses: addressesConfig.prefault({}),
  apps: appsConfig.prefault({}),
  names: namesConfig.prefault({}),
  referrals: referralsConfig.prefault({}),
  feeWaivers: feeWaiversConfig.prefault({}),
  /** Default: the devnet's collectible, if there is a devnet. */
  collectibles: collectiblesConfig.optional(),
  catalog: tokensConfig.prefault({}),
  prices: pricesConfig.prefault({}),
  screening: screeningConfig.prefault({}),
  transact: transactConfig.prefault({}),
  signatures: signaturesConfig.prefault({}),
  /** Default: the devnet's own server, if there is a devnet; otherwise no server. */
  sourcify: sourcifyConfig.optional(),
  clearSigning: clearSigningConfig.prefault({}),
  /** Without chains the service starts a devnet. */
  chains: z
    .array(chainConfig)
    .refine(
      (chains) => new Set(chains.map((chain) => chain.chainId)).size === chains.length,
      'names a chainId twice',
    )
    .default([]),
  devnet: devnetConfig.prefault({}),
})

export type ServiceConfig = z.output<typeof serviceConfig>
