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
import { fillFromPreset } from '../../relayer/chain/nodes/presets.ts'
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
import { tracingConfig } from '../observation/tracing-config.ts'
import { upkeepConfig } from '../upkeep/config.ts'

/** All settings. Each district defines its part beside the code that it configures. */
export const serviceConfig = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all.'),
  port: z.int().min(0).max(65_535).default(4_000).describe('Port of the API; 0 takes a free one.'),
  operatorHost: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      "Address of the operator's pages if `host` is not a loopback address; otherwise they are on " +
        '`port`.',
    ),
  operatorPort: z.int().min(0).max(65_535).default(4_001).describe("Port of the operator's pages there."),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
  wallet: z
    .boolean()
    .optional()
    .describe(
      'Whether the wallet is served at `/wallet`. Without the member it is where the service starts a ' +
        'devnet. `identity.domains` must then name the host of the page.',
    ),
  storage: storageConfig.prefault({}).describe('PostgreSQL, Redis and the data folder.'),
  upkeep: upkeepConfig
    .prefault({})
    .describe('Upkeep of the database: folding and deleting, so that years of data stay quick to read.'),
  http: httpConfig.describe('The HTTP server. Sizes are in bytes.'),
  tracing: tracingConfig
    .prefault({})
    .describe('Traces of requests for an OpenTelemetry collector. Off without `endpoint`.'),
  proving: provingConfig.prefault({}).describe('Worker threads that verify proofs and simulate.'),
  broadcast: broadcastConfig.prefault({}).describe('Sending transactions: signers, prices, repetition.'),
  withdrawals: withdrawalsConfig.prefault({}).describe('The public relayer of withdrawals.'),
  indexer: indexerConfig.prefault({}).describe('Reading the chains.'),
  identity: identityConfig.prefault({}).describe('Sign-in, tokens and keys at rest.'),
  accounts: accountsConfig.prefault({}).describe('Accounts.'),
  addresses: addressesConfig.prefault({}).describe('Stealth addresses, each used once.'),
  apps: appsConfig.prefault({}).describe('Recognised and blocked apps.'),
  names: namesConfig.prefault({}).describe("The accounts' names below a parent name."),
  referrals: referralsConfig
    .prefault({})
    .describe('The referral programme. An attribution keeps the terms of its creation.'),
  feeWaivers: feeWaiversConfig
    .prefault({})
    .describe('The offer to new accounts: no service fees for some days.'),
  collectibles: collectiblesConfig
    .optional()
    .describe(
      'Contracts whose tokens waive service fees. Without the list there are none, except the ' +
        "devnet's own where the service starts a devnet.",
    ),
  catalog: tokensConfig.prefault({}).describe('The token catalogue.'),
  prices: pricesConfig.prefault({}).describe('Prices in US dollars.'),
  screening: screeningConfig.prefault({}).describe('Addresses that are refused.'),
  transact: transactConfig.prefault({}).describe('Sending: fees, limits and times of quotes.'),
  signatures: signaturesConfig.prefault({}).describe('The lookup of unknown selectors.'),
  sourcify: sourcifyConfig
    .optional()
    .describe(
      "Server of verified sources; `false` for none. Without the member the service asks the devnet's " +
        'own server if it starts a devnet, and none otherwise.',
    ),
  clearSigning: clearSigningConfig.prefault({}).describe('Descriptors that say what a call does (ERC-7730).'),
  chains: z
    .array(chainConfig)
    .refine(
      (chains) => new Set(chains.map((chain) => chain.chainId)).size === chains.length,
      'names a chainId twice',
    )
    .default([])
    .describe('The chains to serve. Without any the service starts a devnet.'),
  devnet: devnetConfig
    .prefault({})
    .describe(
      'The local chains that run when no chains are configured. `npm run devnet` runs them without a ' +
        'service, with the same settings.',
    ),
})

export type ServiceConfig = z.output<typeof serviceConfig>

/** Fills each chain of a file from the preset that it names. */
export const fillPresets = (chains: unknown): unknown =>
  Array.isArray(chains) ? chains.map(fillFromPreset) : chains
