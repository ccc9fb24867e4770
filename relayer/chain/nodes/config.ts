import type { Address } from 'viem'
import { z } from 'zod'
import { addressSetting, pictureSetting, wei } from './config-values.ts'
import { isBurnAddress, listConfiguredContracts } from './lost-addresses.ts'
import { relayerConfig, type RelayerConfig } from './relayer-config.ts'
import { venuesConfig } from './venues-config.ts'

/** The pools' name for the native asset. */
export const NATIVE_ASSET: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** The contracts through which accounts send. */
const sendingConfig = z.strictObject({
  orchestrator: addressSetting,
  /** The delegate of accounts (EIP-7702). */
  accountProxy: addressSetting,
  /** The code behind the proxy; intents name it. */
  accountImplementation: addressSetting,
  /** For clients that simulate by it; the service measures without. */
  simulator: addressSetting.optional(),
})

/** The name service that lives on the chain. */
const namesConfig = z.strictObject({
  registry: addressSetting,
  /** Allows offchain gateways and avatars over plain http and on private addresses; for development only. */
  localGateways: z.boolean().default(false),
})

/**
 * A chain that is served. Without `relayer`, `sending` and `names` it is served for receiving: addresses, balances,
 * activity, tokens and prices.
 */
export const chainConfig = z
  .strictObject({
    chainId: z.int().positive(),
    name: z.string().min(1).max(64),
    rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
    nativeSymbol: z.string().min(1).max(16).default('ETH'),
    nativeLogoUri: pictureSetting.optional(),
    explorer: z.url().optional(),
    /** The path between the explorer's address and a transaction's hash. */
    explorerTxPath: z.string().startsWith('/').max(64).default('/tx/'),
    isTestnet: z.boolean().default(false),
    /** Of a testnet: the chain that it stands for. */
    mainnetChainId: z.int().positive().optional(),
    /** Name of the chain's picture among the clients' own. */
    logoBaseName: z.string().min(1).max(64).optional(),
    isSquareLogo: z.boolean().default(false),
    /** US dollars that a native coin is worth where no market has a price: for local chains and testnets. */
    nativeUsd: z
      .string()
      .regex(/^\d{1,12}(?:\.\d{1,18})?$/, 'is not an amount of dollars such as "3000.50"')
      .optional(),
    /** The first block that is indexed. */
    startBlock: wei.default(0n),
    /**
     * The chain's charges for a transaction in addition to gas: `op-stack` for the L1 data fee of Optimism, Base and similar
     * chains, which quotes then contain. The chain must have the Fjord upgrade.
     */
    l1Fee: z.enum(['op-stack']).optional(),
    /** Blocks on top of the one that holds a transaction before it counts as final. */
    confirmations: z.int().min(0).max(1_000).default(3),
    /** The wrapped native coin, whose deposits and withdrawals are no transfers in its logs. */
    wrappedNative: addressSetting.optional(),
    /** A contract that also shows the native coin as an ERC-20, as on Celo: its logs and balances are the coin's. */
    coinToken: addressSetting.optional(),
    /** False for chains whose headers carry no bloom of the block's logs, or that do not number them from 0. */
    checkLogs: z.boolean().default(true),
    /** A contract with isSanctioned(address); used where screening asks an oracle. */
    sanctionsOracle: addressSetting.optional(),
    /** Blocks come only with transactions, as on a development chain: an old head is then normal. */
    blocksOnDemand: z.boolean().default(false),
    /** Milliseconds between two reads of the head. */
    pollIntervalMs: z.int().min(50).max(60_000).default(1_000),
    /** A head older than this is stale: the chain is not ready, and nothing is relayed on its pool state. */
    staleAfterMs: z.int().min(1_000).max(3_600_000).default(60_000),
    /** With it the service relays private withdrawals on the chain. */
    relayer: relayerConfig
      .refine(({ assets }) => assets.every((item) => item.asset === NATIVE_ASSET || item.price), {
        path: ['assets'],
        message:
          'has an ERC-20 without a price: relay fees in it cannot be quoted. Add price {kind: "fixed" | "uniswap-v3", …}',
      })
      .refine(
        ({ signerKeys, relaySignerKeys = [] }) => !relaySignerKeys.some((key) => isAmong(key, signerKeys)),
        {
          path: ['relaySignerKeys'],
          message: 'has a key of `signerKeys`: who sends both kinds joins them for everybody',
        },
      )
      .optional(),
    /** With it accounts can send on the chain. */
    sending: sendingConfig.optional(),
    /** With it names are looked up on the chain. */
    names: namesConfig.optional(),
    /** Venues to swap and bridge on, besides wrapping the native coin. */
    venues: venuesConfig.default({}),
  })
  .refine(({ sending, relayer }) => !sending || relayer, {
    path: ['sending'],
    message: 'needs `relayer` beside it: the signers named there send the transactions and pay their gas',
  })
  .refine(
    (config) => {
      const { feeReceiver, feeReceiverKey } = config.relayer ?? {}
      const address = feeReceiver ?? (typeof feeReceiverKey === 'object' ? feeReceiverKey.address : undefined)
      return !address || !(isBurnAddress(address) || listConfiguredContracts(config).has(address))
    },
    { path: ['relayer', 'feeReceiver'], message: 'is an address from which no fee comes back' },
  )

const isAmong = (key: string, keys: readonly string[]): boolean =>
  keys.some((other) => other.toLowerCase() === key.toLowerCase())

/** The settings of one chain. */
export type ChainConfig = z.output<typeof chainConfig>
/** The contracts of one chain through which accounts send. */
export type SendingConfig = z.output<typeof sendingConfig>

/** A chain whose settings have a `relayer`: the service has signers there. */
export type RelayingConfig = ChainConfig & { relayer: RelayerConfig }
