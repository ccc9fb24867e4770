import { pino } from 'pino'
import type { DatabasePool } from 'slonik'
import { keccak256, parseGwei, stringToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { sql } from '../../../../db/connect-database.ts'
import type {
  BroadcastEngine,
  Reviewer,
  SettlementHandler,
} from '../../../../relayer/chain/broadcast/broadcast-engine.ts'
import { broadcastConfig, type BroadcastConfig } from '../../../../relayer/chain/broadcast/config.ts'
import { createBroadcastEngine } from '../../../../relayer/chain/broadcast/create-broadcast-engine.ts'
import { chainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'

/** The id of the local chain. */
export const CHAIN_ID = 31_337

export const signerKey = (index: number) => keccak256(stringToHex(`signer ${index}`))
export const signerAddress = (index: number) => privateKeyToAddress(signerKey(index))

export interface EngineSettings {
  rpcUrls: readonly string[]
  privateRpcUrls?: readonly string[]
  databaseUrl: string
  signers: number
  /** Signers of relays, whose keys follow those of the others; none unless said: then all send everything. */
  relaySigners?: number
  confirmations?: number
  maxGasPrice?: bigint
  config?: Partial<BroadcastConfig>
  pollIntervalMs?: number
  /** How many settlements the handler books in one transaction; default 8. */
  settledAtOnce?: number
  /** The engine's clock in milliseconds; default: the system's. */
  clock?: () => number
  /** Reviews waiting transactions of the kind `test`. */
  reviewer?: Reviewer
}

/** The local chain's settings. */
export function configureChain({
  rpcUrls,
  signers,
  relaySigners = 0,
  ...settings
}: Pick<
  EngineSettings,
  | 'rpcUrls'
  | 'privateRpcUrls'
  | 'signers'
  | 'relaySigners'
  | 'confirmations'
  | 'maxGasPrice'
  | 'pollIntervalMs'
>) {
  const someAddress = '0x1000000000000000000000000000000000000001'
  const { relayer, ...config } = chainConfig.parse({
    chainId: CHAIN_ID,
    name: 'test',
    rpcUrls,
    confirmations: settings.confirmations ?? 0,
    pollIntervalMs: settings.pollIntervalMs ?? 50,
    relayer: {
      entrypoint: someAddress,
      assets: [
        {
          asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
          symbol: 'ETH',
          decimals: 18,
          minWithdrawAmount: '1',
        },
      ],
      maxGasPrice: String(settings.maxGasPrice ?? parseGwei('100')),
      signerKeys: Array.from({ length: signers }, (_, index) => signerKey(index)),
      ...(relaySigners > 0 && {
        relaySignerKeys: Array.from({ length: relaySigners }, (_, index) => signerKey(signers + index)),
      }),
      feeReceiverKey: signerKey(0),
      ...(settings.privateRpcUrls && { privateRpcUrls: settings.privateRpcUrls }),
    },
  })
  return { ...config, relayer: relayer! }
}

/** Builds and starts an engine whose handlers of the kinds `test` and `relay` book each settlement in the table `booking`. */
export async function startEngine(
  pool: DatabasePool,
  { databaseUrl, clock = Date.now, ...settings }: EngineSettings,
): Promise<BroadcastEngine> {
  const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const config = configureChain(settings)
  const chain = openChain(config, logger)
  const engine = createBroadcastEngine({
    chains: new Map([[CHAIN_ID, chain]]),
    pool,
    databaseUrl,
    logger,
    clock,
    config: broadcastConfig.parse({ leaseMs: 1_000, resendAfterMs: 500, idleLookMs: 0, ...settings.config }),
  })
  const book: SettlementHandler = async (connection, settled) => {
    for (const { outbound, settlement } of settled) {
      const end =
        settlement.status === 'abandoned'
          ? { hash: null, fee: null, reason: settlement.reason }
          : { hash: settlement.hash, fee: settlement.fee, reason: null }
      await connection.query(sql.typeAlias('void')`
        insert into booking (reference, status, hash, fee, reason)
        values (${outbound.reference}, ${settlement.status}, ${end.hash}, ${end.fee}, ${end.reason})`)
    }
  }
  const atOnce = settings.settledAtOnce ?? 8
  engine.onSettled('test', book, { atOnce })
  engine.onSettled('relay', book, { atOnce, duty: 'relays' })
  if (settings.reviewer) engine.onReview('test', settings.reviewer)
  await chain.start()
  await engine.start()
  const stopEngine = engine.stop.bind(engine)
  engine.stop = async () => {
    await stopEngine()
    await chain.stop()
  }
  return engine
}
