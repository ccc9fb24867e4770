import { z } from 'zod'
import { SIGN_METHODS } from '../../../proving/signing/commitment-signer.ts'
import { addressSetting, pictureSetting, privateKey, wei } from './config-values.ts'

const remoteKey = z.strictObject({
  /** A signer that speaks JSON-RPC over HTTP. */
  remote: z.url({ protocol: /^https?$/ }),
  /** Address of the key to use on the signer. */
  address: addressSetting,
  method: z.enum(SIGN_METHODS).default('eth_signTypedData_v4'),
  /** Limit of one attempt, in milliseconds; there are three. */
  timeoutMs: z.int().min(50).max(30_000).default(1_000),
  /** Sent as the `Authorization` header. */
  authorization: z.string().min(1).optional(),
})

/** The source of an ERC-20's native value, used to quote a relay fee in it. */
const priceSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fixed'),
    /** Smallest units of the token that one whole native coin (10^18 wei) is worth. */
    tokenPerNative: wei.refine((amount) => amount > 0n, 'is zero: a native coin is worth something'),
  }),
  z.strictObject({
    kind: z.literal('uniswap-v3'),
    /** A Uniswap v3 pool of the token and the wrapped native coin. */
    pool: addressSetting,
    /** Averaging window in seconds. */
    windowSeconds: z.int().min(10).max(86_400).default(600),
  }),
])

const asset = z.strictObject({
  asset: addressSetting,
  symbol: z.string().min(1).max(32),
  decimals: z.int().min(0).max(36),
  /** At least 1: it covers the fraction that rounding loses. */
  baseFeeBPS: z.int().min(1).max(9_999).default(10),
  minWithdrawAmount: wei,
  /**
   * Most gas of a relay from the pool, for the quote and the transaction. Default: 1,040,000 for the native coin and
   * 1,120,000 for tokens, twice the estimate of an unmeasured relay. More where a chain counts its data as gas.
   */
  maxRelayGas: z.int().min(100_000).max(16_777_216).optional(),
  /** Largest deposit that is advertised to clients; by default the most that a pool of Privacy Pools v1 accepts. */
  maxDeposit: wei.optional(),
  /** Only accounts with this feature are shown the pool. */
  feature: z.string().min(1).max(64).optional(),
  name: z.string().min(1).max(64).optional(),
  logoUri: pictureSetting.optional(),
  price: priceSource.optional(),
})

/** The settings to send transactions on a chain: pools to relay from, and signers that pay the gas. */
export const relayerConfig = z.strictObject({
  /** The Entrypoint of the privacy pools. */
  entrypoint: addressSetting,
  assets: z.array(asset).min(1),
  /** The association set provider that approves deposits of the Entrypoint's pools. */
  asp: z
    .strictObject({
      name: z.string().min(1).max(64),
      policyUrl: z.url().optional(),
      /** Address of its decisions about deposits and its list of labels; without it deposits stay pending. */
      url: z.url({ protocol: /^https?$/ }).optional(),
      /** Milliseconds between two requests. */
      pollIntervalMs: z.int().min(100).max(3_600_000).default(30_000),
    })
    .optional(),
  /** Private keys that send transactions, never remote; never an account that has delegated (EIP-7702). */
  signerKeys: z.array(privateKey).min(1),
  /**
   * Keys that send relays from the pools; `signerKeys` then send only sends of accounts. Without them `signerKeys` send
   * both.
   */
  relaySignerKeys: z.array(privateKey).min(1).optional(),
  /** Signs fee commitments, here or remotely; fees go to its address unless `feeReceiver` names another. */
  feeReceiverKey: z.union(
    [privateKey, remoteKey],
    'is neither a private key (0x and 64 hex digits) nor a remote signer {"remote": "https://…", "address": "0x…"}',
  ),
  feeReceiver: addressSetting.optional(),
  /** Highest price in wei per gas that the service pays. */
  maxGasPrice: wei,
  /** Lowest tip in wei per gas, where nodes suggest less than they accept. */
  minTip: wei.optional(),
  /**
   * Gas an hour that the service may lose by failures of strangers' code; everything else together may lose three times as
   * much. With 0 it runs no strangers' code.
   */
  unpaidGasPerHour: z.int().min(0).max(1_000_000_000).default(10_000_000),
  /**
   * Contracts that apps call and that run no code of their caller's choice: their calls do not share the gas budget of
   * strangers' code.
   */
  knownContracts: z.array(addressSetting).max(1_000).default([]),
  /**
   * Endpoints that receive transactions instead of `rpcUrls`. They do not show them before they are mined, which prevents
   * trades before a swap. All of the chain's transactions go there, since nonces must arrive in order. Reading stays with
   * `rpcUrls`.
   */
  privateRpcUrls: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(8)
    .optional(),
  /** A contract with Multicall3's aggregate3Value; without it extraGas is not offered. */
  multicall: addressSetting.optional(),
})

/** The settings to send transactions on a chain. */
export type RelayerConfig = z.output<typeof relayerConfig>
/** One asset whose pool is relayed from; amounts in its smallest unit. */
export type AssetConfig = RelayerConfig['assets'][number]
