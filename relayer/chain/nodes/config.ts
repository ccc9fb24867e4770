import { zeroAddress, type Address } from 'viem'
import { z } from 'zod'
import { addressSetting, pictureSetting, wei } from './config-values.ts'
import { isBurnAddress, listConfiguredContracts } from './lost-addresses.ts'
import { PRESET_NAMES, presetChainId } from './presets.ts'
import { relayerConfig, type RelayerConfig } from './relayer-config.ts'
import { venuesConfig } from './venues-config.ts'

/** The pools' name for the native asset. */
export const NATIVE_ASSET: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** The contracts through which accounts send. */
const sendingConfig = z.strictObject({
  orchestrator: addressSetting.describe('The contract that executes intents.'),
  accountProxy: addressSetting.describe('The delegate of accounts (EIP-7702).'),
  accountImplementation: addressSetting.describe('The code behind the proxy; intents name it.'),
  simulator: addressSetting
    .optional()
    .describe('For clients that simulate by it; the service measures without.'),
})

/** The name service that lives on the chain. */
const namesConfig = z.strictObject({
  registry: addressSetting.describe('The ENS registry.'),
  localGateways: z
    .boolean()
    .default(false)
    .describe(
      'Allows offchain gateways and avatars over plain http and on private addresses; for development ' +
        'only.',
    ),
})

/**
 * A chain that is served. Without `relayer`, `sending` and `names` it is served for receiving: addresses, balances,
 * activity, tokens and prices.
 */
export const chainConfig = z
  .strictObject({
    preset: z
      .enum(PRESET_NAMES)
      .optional()
      .describe(
        'A chain whose public facts fill the members that are left out, such as ids, explorer and ' +
          'contracts. `relayer`, `names` and each of `venues` are filled where they are written, if only as `{}`.',
      ),
    chainId: z.int().positive().describe("The chain's number."),
    name: z.string().min(1).max(64).describe('Name of the chain for people.'),
    rpcUrls: z
      .array(z.url({ protocol: /^https?$/ }))
      .min(1)
      .describe('HTTP addresses of nodes, the preferred one first.'),
    nativeSymbol: z.string().min(1).max(16).default('ETH').describe('Symbol of the native coin.'),
    nativeLogoUri: pictureSetting
      .optional()
      .describe(
        'Picture of the native coin: an https address, or a `data:` URL of a PNG, JPEG, GIF or WebP ' +
          'in base64.',
      ),
    explorer: z.url().optional().describe('Address of a block explorer.'),
    explorerTxPath: z
      .string()
      .startsWith('/')
      .max(64)
      .default('/tx/')
      .describe("The path between the explorer's address and a transaction's hash."),
    isTestnet: z.boolean().default(false).describe('Whether clients show the chain as a testnet.'),
    mainnetChainId: z.int().positive().optional().describe('Of a testnet: the chain that it stands for.'),
    logoBaseName: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("Name of the chain's picture among the clients' own."),
    isSquareLogo: z.boolean().default(false).describe('Whether that picture is a square.'),
    nativeUsd: z
      .string()
      .regex(/^\d{1,12}(?:\.\d{1,18})?$/, 'is not an amount of dollars such as "3000.50"')
      .optional()
      .describe(
        'US dollars that a native coin is worth where no market has a price: for local chains and ' +
          'testnets.',
      ),
    startBlock: wei
      .default(0n)
      .describe(
        "The first block that is indexed: the pools' deployment, or a recent block of a chain without pools. " +
          'Every block from it on is read.',
      ),
    l1Fee: z
      .enum(['op-stack'])
      .optional()
      .describe(
        "The chain's charges for a transaction in addition to gas: `op-stack` for the L1 data fee " +
          '(since Fjord) and the operator fee (since Isthmus) of Optimism, Base and similar chains.',
      ),
    confirmations: z
      .int()
      .min(0)
      .max(1_000)
      .default(3)
      .describe('Blocks on top of the one that holds a transaction before it counts as final.'),
    wrappedNative: addressSetting
      .optional()
      .describe('The wrapped native coin, whose deposits and withdrawals are no transfers in its logs.'),
    coinToken: addressSetting
      .optional()
      .describe(
        'A contract that also shows the native coin as an ERC-20, as on Celo: its logs and balances ' +
          "are the coin's.",
      ),
    checkLogs: z
      .boolean()
      .default(true)
      .describe(
        "False for chains whose headers carry no bloom of the block's logs, or that do not number " +
          'them from 0.',
      ),
    sanctionsOracle: addressSetting
      .optional()
      .describe('A contract with isSanctioned(address); used where screening asks an oracle.'),
    blocksOnDemand: z
      .boolean()
      .default(false)
      .describe('Blocks come only with transactions, as on a development chain: an old head is then normal.'),
    pollIntervalMs: z
      .int()
      .min(50)
      .max(60_000)
      .default(1_000)
      .describe('Milliseconds between two reads of the head.'),
    staleAfterMs: z
      .int()
      .min(1_000)
      .max(3_600_000)
      .default(60_000)
      .describe(
        'A head that was read longer ago is stale: the chain is not ready, and nothing is relayed on ' +
          'its pool state. So is a newest block that is older than this and than twenty usual block ' +
          'times.',
      ),
    relayer: relayerConfig
      .refine(({ entrypoint, assets }) => entrypoint !== zeroAddress || assets.length === 0, {
        path: ['entrypoint'],
        message: 'is needed for `assets`: name the Entrypoint of their pools, or leave `assets` out',
      })
      .refine(({ assets }) => assets.every((item) => item.asset === NATIVE_ASSET || item.price), {
        path: ['assets'],
        message:
          'has an ERC-20 without a price: relay fees in it cannot be quoted. Add price {kind: "fixed" | "uniswap-v3", …}',
      })
      .refine(
        ({ signerKeys, relaySignerKeys = [] }) => !relaySignerKeys.some((key) => isAmong(key, signerKeys)),
        {
          path: ['relaySignerKeys'],
          message: 'has a key of `signerKeys`: a signer of both kinds connects them publicly',
        },
      )
      .optional()
      .describe('Signers, and pools from which the service relays withdrawals.'),
    sending: sendingConfig
      .optional()
      .describe('The contracts through which accounts send; needs `relayer`, whose signers pay the gas.'),
    names: namesConfig
      .optional()
      .describe('The name service that lives on the chain; with it names are looked up there.'),
    venues: venuesConfig
      .default({})
      .describe(
        'Exchanges and bridges, besides wrapping the native coin; one that is not named is not used.',
      ),
  })
  .refine(({ preset, chainId }) => preset === undefined || presetChainId(preset) === chainId, {
    path: ['chainId'],
    message: 'is not the chain of `preset`: leave one of both out',
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
