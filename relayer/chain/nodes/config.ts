import { getAddress, isAddress, isHex, type Address, type Hex } from 'viem'
import { z } from 'zod'
import { SIGN_METHODS } from '../../../proving/signing/commitment-signer.ts'

/** The pools' name for the native asset. */
export const NATIVE_ASSET: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const address = z
  .string()
  .refine(
    (text) => isAddress(text),
    'is not an address: write 0x and 40 hex digits, checksummed or all lower case',
  )
  .transform((text) => getAddress(text))
const privateKey = z
  .string()
  .refine((text) => isHex(text) && text.length === 66, 'is not a private key: write 0x and 64 hex digits')
  .transform((text) => text as Hex)
const remoteKey = z.strictObject({
  /** A signer that speaks JSON-RPC over HTTP. */
  remote: z.url({ protocol: /^https?$/ }),
  /** Whose key of the signer's is meant. */
  address,
  method: z.enum(SIGN_METHODS).default('eth_signTypedData_v4'),
  /** Limit of one attempt, in milliseconds; there are three. */
  timeoutMs: z.int().min(50).max(30_000).default(1_000),
  /** Sent as the `Authorization` header. */
  authorization: z.string().min(1).optional(),
})
const wei = z
  .union([
    z.string().regex(/^\d{1,78}$/, 'is not a whole number of wei in decimal digits'),
    z.int().nonnegative(),
  ])
  .transform((amount) => BigInt(amount))

/** Where the native value of an ERC-20 comes from when a relay fee is quoted in it. */
const priceSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fixed'),
    /** Smallest units of the token that one whole native coin (10^18 wei) is worth. */
    tokenPerNative: wei.refine((amount) => amount > 0n, 'is zero: a native coin is worth something'),
  }),
  z.strictObject({
    kind: z.literal('uniswap-v3'),
    /** A Uniswap v3 pool of the token and the wrapped native coin. */
    pool: address,
    /** Averaging window in seconds. */
    windowSeconds: z.int().min(10).max(86_400).default(600),
  }),
])

const asset = z.strictObject({
  asset: address,
  symbol: z.string().min(1).max(32),
  decimals: z.int().min(0).max(36),
  /** At least 1: it covers the fraction that rounding loses. */
  baseFeeBPS: z.int().min(1).max(9_999).default(10),
  minWithdrawAmount: wei,
  /** Gas that a relay of the pool is quoted, and limited to, at most: 1,040,000 for the native coin and 1,120,000 for tokens
   * unless said, twice what one takes before anything was measured. More where a chain counts its data as gas. */
  maxRelayGas: z.int().min(100_000).max(16_777_216).optional(),
  /** Largest deposit that clients are told of; else the largest that a pool of Privacy Pools v1 takes. */
  maxDeposit: wei.optional(),
  /** The pool is shown to those accounts alone that have this feature. */
  feature: z.string().min(1).max(64).optional(),
  name: z.string().min(1).max(64).optional(),
  logoUri: z.url({ protocol: /^https$/ }).optional(),
  price: priceSource.optional(),
})

/**
 * Settings of one chain. What is optional switches a capability on: without it the chain does not offer it.
 */
export const chainConfig = z
  .strictObject({
    chainId: z.int().positive(),
    name: z.string().min(1).max(64),
    rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
    nativeSymbol: z.string().min(1).max(16).default('ETH'),
    nativeLogoUri: z.url({ protocol: /^https$/ }).optional(),
    explorer: z.url().optional(),
    /** What the explorer writes between its address and a transaction's hash. */
    explorerTxPath: z.string().startsWith('/').max(64).default('/tx/'),
    isTestnet: z.boolean().default(false),
    /** Of a testnet: the chain that it stands for. */
    mainnetChainId: z.int().positive().optional(),
    /** Name of the chain's picture among the clients' own. */
    logoBaseName: z.string().min(1).max(64).optional(),
    isSquareLogo: z.boolean().default(false),
    /** US dollars that a native coin is worth where no market says: of local chains and testnets. */
    nativeUsd: z
      .string()
      .regex(/^\d{1,12}(?:\.\d{1,18})?$/, 'is not an amount of dollars such as "3000.50"')
      .optional(),
    /** Who approves deposits of the Entrypoint's pools. */
    asp: z
      .strictObject({
        name: z.string().min(1).max(64),
        policyUrl: z.url().optional(),
        /** Where it says what it makes of deposits; without it they stay pending. */
        url: z.url({ protocol: /^https?$/ }).optional(),
        /** How often it is asked, in milliseconds. */
        pollIntervalMs: z.int().min(100).max(3_600_000).default(30_000),
      })
      .optional(),
    entrypoint: address,
    startBlock: wei.default(0n),
    assets: z.array(asset).min(1),
    /** Wei per gas that the service will not exceed. */
    maxGasPrice: wei,
    /**
     * Gas an hour that recipients may make us lose by letting transactions fail; when it is used up contracts are not paid
     * until the losses are an hour old. Relays have half of it at most, sends three quarters, new accounts a quarter. 0 serves
     * no contract.
     */
    unpaidGasPerHour: z.int().min(0).max(1_000_000_000).default(10_000_000),
    /**
     * What the chain takes for a transaction beside its gas: `op-stack` for the L1 data fee of Optimism, Base and their
     * kin, which quotes then contain. The chain must have had the Fjord upgrade.
     */
    l1Fee: z.enum(['op-stack']).optional(),
    /** Blocks on top of the one that holds a transaction before it counts as final. */
    confirmations: z.int().min(0).max(1_000).default(3),
    /** Private keys that send transactions, never remote; never an account that has delegated (EIP-7702). */
    signerKeys: z.array(privateKey).min(1),
    /** Signs fee commitments, here or remotely; fees go to its address unless `feeReceiver` names another. */
    feeReceiverKey: z.union(
      [privateKey, remoteKey],
      'is neither a private key (0x and 64 hex digits) nor a remote signer {"remote": "https://…", "address": "0x…"}',
    ),
    feeReceiver: address.optional(),
    /** A contract with Multicall3's aggregate3Value; without it extraGas is not offered. */
    multicall: address.optional(),
    /** The wrapped native coin, whose deposits and withdrawals are no transfers in its logs. */
    wrappedNative: address.optional(),
    /** False for chains whose headers carry no bloom of the block's logs, or that do not number them from 0. */
    checkLogs: z.boolean().default(true),
    /** The contracts through which accounts send; without them the chain offers no sending. */
    intents: z
      .strictObject({
        orchestrator: address,
        /** What accounts delegate to (EIP-7702). */
        accountProxy: address,
        /** What the proxy runs; intents name it. */
        accountImplementation: address,
        /** For clients that simulate by it; the service measures without. */
        simulator: address.optional(),
      })
      .optional(),
    /** The name service that lives on this chain. */
    names: z
      .strictObject({
        registry: address,
        /** Lets offchain gateways and avatars be of plain http and on private addresses: for development alone. */
        localGateways: z.boolean().default(false),
      })
      .optional(),
    /** A contract with isSanctioned(address); used where screening asks an oracle. */
    sanctionsOracle: address.optional(),
    /** How often the head is asked for, in milliseconds. */
    pollIntervalMs: z.int().min(50).max(60_000).default(1_000),
    /** A head older than this makes pool state stale. */
    staleAfterMs: z.int().min(1_000).max(3_600_000).default(60_000),
  })
  .refine((chain) => chain.assets.every((item) => item.asset === NATIVE_ASSET || item.price), {
    path: ['assets'],
    message:
      'has an ERC-20 without a price: relay fees in it cannot be quoted. Add price {kind: "fixed" | "uniswap-v3", …}',
  })

/** The settings of a chain after parsing, defaults filled in. */
export type ChainConfig = z.output<typeof chainConfig>
/** The settings of one asset with a privacy pool. */
export type AssetConfig = ChainConfig['assets'][number]
/** Where the relayer takes an asset's price in native coin from. */
export type PriceSource = z.output<typeof priceSource>
