import { z } from 'zod'
import { SIGN_METHODS } from '../../../proving/signing/commitment-signer.ts'
import { addressSetting, pictureSetting, privateKey, wei } from './config-values.ts'
import { zeroAddress, type Hex } from 'viem'

const remoteKey = z.strictObject({
  remote: z.url({ protocol: /^https?$/ }).describe('Address of a signer that speaks JSON-RPC over HTTP.'),
  address: addressSetting.describe('Address of the key to use on the signer.'),
  method: z
    .enum(SIGN_METHODS)
    .default('eth_signTypedData_v4')
    .describe('The method by which the signer signs.'),
  timeoutMs: z
    .int()
    .min(50)
    .max(30_000)
    .default(1_000)
    .describe('Limit of one attempt, in milliseconds; there are three.'),
  authorization: z.string().min(1).optional().describe('Sent as the `Authorization` header.'),
})

/** The source of an ERC-20's native value, used to quote a relay fee in it. */
const priceSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fixed').describe('Kind of the source.'),
    tokenPerNative: wei
      .refine((amount) => amount > 0n, 'is zero: a native coin is worth something')
      .describe('`fixed`: smallest units of the token that one whole native coin is worth.'),
  }),
  z.strictObject({
    kind: z.literal('uniswap-v3').describe('Kind of the source.'),
    pool: addressSetting.describe('`uniswap-v3`: a pool of the token and the wrapped native coin.'),
    windowSeconds: z
      .int()
      .min(10)
      .max(86_400)
      .default(600)
      .describe('`uniswap-v3`: averaging window in seconds.'),
  }),
])

const asset = z.strictObject({
  asset: addressSetting.describe(
    'Token address; `0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE` is the native coin.',
  ),
  symbol: z.string().min(1).max(32).describe('Symbol of the asset.'),
  decimals: z.int().min(0).max(36).describe('Decimals of the asset.'),
  baseFeeBPS: z
    .int()
    .min(1)
    .max(9_999)
    .default(10)
    .describe('Margin above gas, in basis points. At least 1: it covers the fraction that rounding loses.'),
  minWithdrawAmount: wei.describe('Smallest withdrawal, in the smallest unit.'),
  maxRelayGas: z
    .int()
    .min(100_000)
    .max(16_777_216)
    .optional()
    .describe(
      'Most gas of a relay from the pool, for the quote and the transaction. Default: 1,040,000 for ' +
        'the native coin and 1,120,000 for tokens, twice the estimate of an unmeasured relay. More ' +
        'where a chain counts its data as gas.',
    ),
  maxDeposit: wei
    .optional()
    .describe(
      'Largest deposit that is advertised to clients; by default the most that a pool of Privacy ' +
        'Pools v1 accepts.',
    ),
  feature: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Only accounts with this feature are shown the pool.'),
  name: z.string().min(1).max(64).optional().describe('Name of the asset.'),
  logoUri: pictureSetting.optional().describe('Picture of the asset, as `nativeLogoUri`.'),
  price: priceSource.optional().describe('Source of the price in native coin; tokens need one.'),
})

/** The settings to send transactions on a chain: signers that pay the gas, and pools to relay from. */
export const relayerConfig = z.strictObject({
  entrypoint: addressSetting
    .default(zeroAddress)
    .describe('The Entrypoint of the privacy pools; needed for `assets`.'),
  assets: z
    .array(asset)
    .default([])
    .describe('The assets whose pools the service relays from; none where the chain has no pools.'),
  asp: z
    .strictObject({
      name: z.string().min(1).max(64).describe('Name of the provider.'),
      policyUrl: z.url().optional().describe('Address of its policy, for people.'),
      url: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe(
          'Address of its decisions about deposits and its list of approved labels. Without it ' +
            'deposits stay pending, and accounts get no `pool/state` once the Entrypoint has a root.',
        ),
      pollIntervalMs: z
        .int()
        .min(100)
        .max(3_600_000)
        .default(30_000)
        .describe(
          'Milliseconds between two requests; its list is also read when the Entrypoint has a new root.',
        ),
    })
    .optional()
    .describe("The association set provider that approves deposits of the Entrypoint's pools."),
  signerKeys: z
    .array(privateKey)
    .min(1)
    .describe(
      'Private keys that send transactions, never remote; never an account that has delegated ' +
        '(EIP-7702). They send relays too unless `relaySignerKeys` is set.',
    ),
  relaySignerKeys: z
    .array(privateKey)
    .min(1)
    .optional()
    .describe('Private keys that send relays and nothing else; none of `signerKeys` may be among them.'),
  feeReceiverKey: z
    .union(
      [privateKey, remoteKey],
      'is neither a private key (0x and 64 hex digits) nor a remote signer {"remote": "https://…", "address": "0x…"}',
    )
    .describe(
      'Signs fee commitments: a private key, or a remote signer. Fees go to its address unless ' +
        '`feeReceiver` names another.',
    ),
  feeReceiver: addressSetting.optional().describe("Receiver of fees, if not the key's address."),
  maxGasPrice: wei.describe('Highest price in wei per gas that the service pays.'),
  minTip: wei
    .optional()
    .describe(
      'Lowest tip in wei per gas, where nodes suggest less than they accept (Polygon: `25000000000`).',
    ),
  unpaidGasPerHour: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(10_000_000)
    .describe(
      "Gas an hour that the service may lose by failures of strangers' code; everything else together " +
        "may lose three times as much. With 0 it runs no strangers' code.",
    ),
  knownContracts: z
    .array(addressSetting)
    .max(1_000)
    .default([])
    .describe(
      "Contracts that apps call and that run no code of their caller's choice: their calls do not " +
        "share the gas budget of strangers' code.",
    ),
  privateRpcUrls: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(8)
    .optional()
    .describe(
      'Endpoints that receive transactions instead of `rpcUrls`. They do not show them before they ' +
        "are mined, which prevents trades before a swap. All of the chain's transactions go there, " +
        'since nonces must arrive in order. Reading stays with `rpcUrls`.',
    ),
  multicall: addressSetting
    .optional()
    .describe("A contract with Multicall3's aggregate3Value; without it extraGas is not offered."),
})

/** The settings to send transactions on a chain. */
export type RelayerConfig = z.output<typeof relayerConfig>
/** One asset whose pool is relayed from; amounts in its smallest unit. */
export type AssetConfig = RelayerConfig['assets'][number]

/** True if the settings of a chain name privacy pools. */
export const hasPools = (relayer: RelayerConfig | undefined): boolean =>
  relayer !== undefined && relayer.assets.length > 0

/** Purposes of transactions: withdrawals from pools, or sends of accounts. */
export const DUTIES = ['relays', 'sends'] as const
/** One of {@link DUTIES}. */
export type Duty = (typeof DUTIES)[number]

/** The duties that a chain has: none of relays where it has no pools. */
export const dutiesOf = (relayer: RelayerConfig): readonly Duty[] => (hasPools(relayer) ? DUTIES : ['sends'])

/** A signer of the configuration. */
export interface ConfiguredSigner {
  key: Hex
  /** The only transactions that it sends; `all` where the configuration does not separate them. */
  duty: Duty | 'all'
}

/** Every signer of a chain with its duty; those of sends first. */
export const listSigners = ({ signerKeys, relaySignerKeys }: RelayerConfig): ConfiguredSigner[] => [
  ...signerKeys.map((key) => ({ key, duty: relaySignerKeys ? ('sends' as const) : ('all' as const) })),
  ...(relaySignerKeys ?? []).map((key) => ({ key, duty: 'relays' as const })),
]

/** True if a signer sends the transactions of a duty. */
export const hasDuty = (signer: { duty: Duty | 'all' }, duty: Duty): boolean =>
  signer.duty === 'all' || signer.duty === duty
