import { parseGwei } from 'viem'
import type { z } from 'zod'
import type { chainConfig } from '../../relayer/chain/nodes/config.ts'
import { OUTPUT_GUARD_ADDRESS } from '../../relayer/transact/venues/swap/kyberswap/kyberswap-venue.ts'
import type { DevnetAccounts } from './accounts.ts'
import { listBridgedTokens } from './bridged-tokens.ts'
import { CASH_METHODS, CASH_RATES, MIN_INTENT_AMOUNT } from './deploy/devnet-cash.ts'
import { NATIVE, NATIVE_USD, STRICT, TAXED } from './deploy/devnet-assets.ts'
import type { DescribedChain } from './devnet-description.ts'
import type { DevnetChain } from './start-chain.ts'

/** Short, to show a refund soon after a command keeps the filler from filling. */
const FILL_DEADLINE_SECONDS = 600

/**
 * Milliseconds between two questions to a provider that decides after so many seconds. It is a quarter of them, within
 * bounds, and whole halves of a second, at which the service looks for work anyway.
 */
const reviewPaceOf = (delaySeconds: number) =>
  Math.min(2_000, Math.max(1, Math.floor(delaySeconds / 2)) * 500)

/** The settings with which the service runs on a devnet chain, as in a configuration file. */
export function configureChain(
  chain: DevnetChain,
  accounts: DevnetAccounts,
  {
    blockTimeSeconds,
    aspDelaySeconds,
    aspUrl,
    feesUrl,
    curatorUrl,
    explorerUrl,
  }: {
    blockTimeSeconds: number
    aspDelaySeconds: number
    aspUrl: string | null
    feesUrl: string | null
    curatorUrl: string | null
    explorerUrl: string
  },
): z.input<typeof chainConfig> {
  const { entrypoint, multicall, wrappedNative, pools, intents, names, sanctionsOracle, tokens } =
    chain.addresses
  const { router, quoter, v2Factory, v3Factory } = chain.addresses.uniswap
  return {
    chainId: chain.chainId,
    name: `Devnet ${chain.chainId}`,
    rpcUrls: [chain.rpcUrl],
    isTestnet: true,
    nativeUsd: NATIVE_USD,
    nativeLogoUri: NATIVE.logoUri,
    explorer: `${explorerUrl}/${chain.chainId}`,
    startBlock: chain.startBlock,
    // A chain that mines on demand puts no block on top of the last one.
    confirmations: blockTimeSeconds > 0 ? 1 : 0,
    blocksOnDemand: blockTimeSeconds === 0,
    wrappedNative,
    sanctionsOracle,
    pollIntervalMs: 200,
    relayer: {
      entrypoint,
      ...(aspUrl !== null && {
        asp: {
          name: 'Devnet ASP',
          policyUrl: `${aspUrl}/policy`,
          url: aspUrl,
          pollIntervalMs: reviewPaceOf(aspDelaySeconds),
        },
      }),
      assets: pools.map(({ asset, name, symbol, decimals, minimumWithdrawal, tokenPerNative, logoUri }) => ({
        asset,
        name,
        symbol,
        decimals,
        baseFeeBPS: 10,
        minWithdrawAmount: String(minimumWithdrawal),
        logoUri,
        ...(tokenPerNative === null
          ? {}
          : { price: { kind: 'fixed' as const, tokenPerNative: String(tokenPerNative) } }),
      })),
      maxGasPrice: String(parseGwei('100')),
      signerKeys: accounts.signers.map(({ privateKey }) => privateKey),
      relaySignerKeys: accounts.relaySigners.map(({ privateKey }) => privateKey),
      feeReceiverKey: accounts.feeReceiver.privateKey,
      multicall,
    },
    sending: intents,
    names: { registry: names.registry, localGateways: true },
    venues: {
      // The node shares a machine with everything else.
      uniswap: { router, quoter, v2Factory, v3Factory, baseTokens: [tokens[0]], timeoutMs: 30_000 },
      outputGuard: OUTPUT_GUARD_ADDRESS,
      ...(feesUrl !== null && {
        across: {
          ...chain.addresses.across,
          feesUrl,
          fillDeadlineSeconds: FILL_DEADLINE_SECONDS,
          tokens: listBridgedTokens(chain.addresses).map(({ asset, token }) => ({ asset, token })),
        },
      }),
      ...(curatorUrl !== null && { peer: peerOf(chain, accounts, curatorUrl) }),
    },
  }
}

/** The escrow for cash-outs, which sells test dollars. */
function peerOf({ addresses }: DevnetChain, { curator }: DevnetAccounts, curatorUrl: string) {
  const { escrow, orchestrator, rates } = addresses.cash
  return {
    escrow,
    orchestrator,
    curatorUrl,
    gatingService: curator.address,
    tokens: [addresses.tokens[0]],
    methods: CASH_METHODS,
    rates: CASH_RATES.map(({ currency, adapterConfig }) => ({ currency, adapter: rates, adapterConfig })),
    minIntentAmount: String(MIN_INTENT_AMOUNT),
  }
}

/** The same chain as devnet.json shows it to clients. */
export function describeChain(chain: DevnetChain, accounts: DevnetAccounts): DescribedChain {
  const { entrypoint, pools, intents, names, sanctionsOracle, collectible, uniswap, across, cash } =
    chain.addresses
  const { wrappedNative, taxedToken, strictToken } = chain.addresses
  return {
    chainId: chain.chainId,
    rpcUrl: chain.rpcUrl,
    startBlock: chain.startBlock,
    entrypoint,
    pools: pools.map(({ asset, symbol, decimals, pool, scope }) => ({
      asset,
      symbol,
      decimals,
      pool,
      scope: String(scope),
    })),
    tokens: pools
      .filter(({ tokenPerNative }) => tokenPerNative !== null)
      .map(({ asset, symbol, decimals }) => ({ address: asset, symbol, decimals })),
    intents,
    names,
    sanctionsOracle,
    collectible,
    uniswap,
    across,
    cash,
    wrappedNative,
    taxedToken: { address: taxedToken, symbol: TAXED.symbol, decimals: TAXED.decimals },
    strictToken: { address: strictToken, symbol: STRICT.symbol, decimals: STRICT.decimals },
    accounts: [...accounts.clients],
  }
}
