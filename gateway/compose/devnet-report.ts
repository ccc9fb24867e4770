import { z } from 'zod'
import { collectiblesConfig } from '../../relayer/account/collectible/config.ts'
import { chainConfig } from '../../relayer/chain/nodes/config.ts'
import { addressSetting, privateKey } from '../../relayer/chain/nodes/config-values.ts'
import { sourcifyConfig } from '../../relayer/inspect/verified-sources/config.ts'
import { pricesConfig } from '../../relayer/market/prices/config.ts'
import { parseUsd } from '../../relayer/market/prices/usd.ts'
import type { DevnetConfig } from '../config/devnet-config.ts'

const server = z.strictObject({ url: z.url() })

/** Report of a running devnet to the service: plain data, sent between processes as JSON. */
export const devnetReport = z.strictObject({
  /** Settings, as in a configuration file of the service. */
  settings: z.strictObject({
    chains: z.array(chainConfig).min(1),
    /** Collections whose tokens waive service fees. */
    collectibles: collectiblesConfig,
    /** The parent name that the offchain resolver serves, and the key whose signature it expects. */
    names: z.strictObject({ parent: z.string(), signerKey: privateKey }),
    /** Server of verified sources. */
    sourcify: sourcifyConfig,
    /** Absent where the chains' settings alone contain prices. */
    prices: pricesConfig.pick({ sources: true, refreshMs: true, marketRefreshMs: true }).optional(),
  }),
  /** Prices of the hours before its start, so that price changes are known at once. */
  earlierPrices: z.array(
    z.strictObject({
      chainId: z.int().positive(),
      address: addressSetting,
      /** Start of the hour. */
      hour: z.iso.datetime().transform((text) => new Date(text)),
      usd: z.string().transform(parseUsd),
    }),
  ),
  /** Descriptors (ERC-7730) of its contracts: JSON by path, as in a registry. */
  descriptors: z.record(z.string(), z.string()),
  /** Path of devnet.json, which describes it to clients. */
  file: z.string(),
  /** Null if the configuration has none. */
  asp: server.nullable(),
  /** Filler of bridge deposits; null if the configuration has none, or there is only one chain. */
  across: server.nullable(),
})

/** The report after parsing. */
export type DevnetReport = z.output<typeof devnetReport>

/** A message of the devnet's program to the service that runs it. */
export const devnetMessage = z.discriminatedUnion('kind', [
  /** Sent before anything starts: everything that it needs is installed. The key signs fee commitments on its chains. */
  z.strictObject({ kind: z.literal('accepted'), feeReceiverKey: privateKey }),
  /** A step takes long. */
  z.strictObject({ kind: z.literal('progress'), text: z.string() }),
  z.strictObject({ kind: z.literal('running'), report: devnetReport }),
  /** Its names now point to the service. */
  z.strictObject({ kind: z.literal('names-pointed') }),
  /** Its next message will never come; the reason is written for the operator. */
  z.strictObject({ kind: z.literal('failed'), reason: z.string() }),
])

/** A message before parsing. */
export type DevnetMessage = z.input<typeof devnetMessage>

/** The argument of the program, as JSON. */
export interface DevnetStart {
  dataDir: string
  config: DevnetConfig
  logLevel: string
}

/** A request to the running program. The URL has no slash at its end. */
export interface DevnetRequest {
  kind: 'point-names'
  serviceUrl: string
}
