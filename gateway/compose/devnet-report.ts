import { z } from 'zod'
import { collectiblesConfig } from '../../relayer/account/collectible/config.ts'
import { chainConfig } from '../../relayer/chain/nodes/config.ts'
import { addressSetting, privateKey } from '../../relayer/chain/nodes/config-values.ts'
import { sourcifyConfig } from '../../relayer/inspect/verified-sources/config.ts'
import { pricesConfig } from '../../relayer/market/prices/config.ts'
import { parseUsd } from '../../relayer/market/prices/usd.ts'
import type { DevnetConfig } from '../config/devnet-config.ts'

const server = z.strictObject({ url: z.url() })

/** What a devnet that runs reports to the service that uses it: plain data, which crosses the border of a process as JSON. */
export const devnetReport = z.strictObject({
  /** Settings, as in a configuration file of the service. */
  settings: z.strictObject({
    chains: z.array(chainConfig).min(1),
    /** Their tokens waive service fees. */
    collectibles: collectiblesConfig,
    /** The name below which the offchain resolver asks the service, and whose signature it wants. */
    names: z.strictObject({ parent: z.string(), signerKey: privateKey }),
    /** Server of verified sources. */
    sourcify: sourcifyConfig,
    /** Absent where the chains' settings alone say prices. */
    prices: pricesConfig.pick({ sources: true, refreshMs: true, marketRefreshMs: true }).optional(),
  }),
  /** Prices of the hours before its start, so that changes are known from the start. */
  earlierPrices: z.array(
    z.strictObject({
      chainId: z.int().positive(),
      address: addressSetting,
      /** When the hour began. */
      hour: z.iso.datetime().transform((text) => new Date(text)),
      usd: z.string().transform(parseUsd),
    }),
  ),
  /** Descriptors (ERC-7730) of its contracts: JSON by path, as in a registry. */
  descriptors: z.record(z.string(), z.string()),
  /** Path of devnet.json, which describes it to clients. */
  file: z.string(),
  /** Null where the configuration wants none. */
  asp: server.nullable(),
  /** Who fills deposits of the bridge; null where the configuration wants nobody, or there is but one chain. */
  across: server.nullable(),
})

/** The report after parsing. */
export type DevnetReport = z.output<typeof devnetReport>

/** What the devnet's program says to the service that runs it. */
export const devnetMessage = z.discriminatedUnion('kind', [
  /** Before anything is started: what it needs is installed. The key signs fee commitments on its chains. */
  z.strictObject({ kind: z.literal('accepted'), feeReceiverKey: privateKey }),
  /** A step takes long. */
  z.strictObject({ kind: z.literal('progress'), text: z.string() }),
  z.strictObject({ kind: z.literal('running'), report: devnetReport }),
  /** Its names lead to the service. */
  z.strictObject({ kind: z.literal('names-pointed') }),
  /** Its next message never comes, for a reason that is written for the operator. */
  z.strictObject({ kind: z.literal('failed'), reason: z.string() }),
])

/** A message as it is sent. */
export type DevnetMessage = z.input<typeof devnetMessage>

/** The argument of the program, as JSON. */
export interface DevnetStart {
  dataDir: string
  config: DevnetConfig
  logLevel: string
}

/** What the program is asked once it runs. The URL has no slash at its end. */
export interface DevnetRequest {
  kind: 'point-names'
  serviceUrl: string
}
