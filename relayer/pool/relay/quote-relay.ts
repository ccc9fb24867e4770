import { formatUnits } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import { encodeRelayData } from '../state/formulas.ts'
import type { Pool } from '../state/pool-state.ts'
import type { NativePrice } from '../../market/prices/price-native.ts'
import type { ServiceError } from '../../service-error.ts'
import type { WithdrawalsConfig } from './config.ts'
import { demandPrice, demandRunway } from './demand-capacity.ts'
import type { LostRecipients } from '../recipients/lost-recipients.ts'
import { findPool } from './find-pool.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import { computeRelayFeeBps, gasCost, smallestAmountInWei, messageOf, type FeeTerms } from './relay-fee.ts'
import { TOP_UP_GAS, type RelayGas, paidRelayGas } from './relay-gas.ts'
import type { RelayerChains } from './relayer-chain.ts'
import type { RelayQuoteRequest, RelayerQuote } from './withdrawals.ts'
import { badRequest } from '../../errors.ts'
import { unsupportedFeature, withdrawalAmountTooSmall } from './errors.ts'

/** Pools of Privacy Pools v1 accept only deposits below 2^128 − 1. */
const MAX_AMOUNT = (1n << 128n) - 1n

/** Published clients request extraGas by default, and again without it only if the message has this word. */
const UNSUPPORTED = unsupportedFeature.terms.code

/** Dependencies for quoting a relay. */
export interface RelayQuoteParts {
  chains: RelayerChains
  proving: ProvingPool
  broadcast: BroadcastEngine
  relayGas: RelayGas
  lostRecipients: LostRecipients
  config: WithdrawalsConfig
}

function checkAmount(pool: Pool, amount: bigint): void {
  const { symbol, decimals, minWithdrawAmount } = pool.asset
  const minAmount = formatUnits(minWithdrawAmount, decimals)
  if (amount < minWithdrawAmount)
    throw withdrawalAmountTooSmall(
      `amount is below the minimum of ${minAmount} ${symbol} (${minWithdrawAmount})`,
      {
        details: { minAmount, tokenSymbol: symbol, tokenAddress: pool.asset.asset, tokenDecimals: decimals },
      },
    )
  if (amount >= MAX_AMOUNT) throw badRequest('amount is above what a pool can hold (2^128 - 2)')
}

function feeAboveMaximum(
  pool: Pool,
  feeBps: bigint,
  {
    smallestWei,
    price,
    isForExtraGas,
  }: { smallestWei: bigint | null; price: NativePrice; isForExtraGas: boolean },
): ServiceError {
  const { symbol, decimals } = pool.asset
  // One unit more than the rounded-down conversion is worth at least that many wei.
  const smallest = smallestWei === null ? null : price.fromWei(smallestWei) + 1n
  const bound =
    smallest === null
      ? 'no amount is large enough'
      : `withdraw at least ${smallest} (${formatUnits(smallest, decimals)} ${symbol})`
  const withoutExtraGas = isForExtraGas ? `; ${UNSUPPORTED}: for less, ask without extraGas` : ''
  return withdrawalAmountTooSmall(
    `The relay fee would be ${feeBps} basis points, above the pool's maximum of ${pool.maxRelayFeeBps}; ${bound}${withoutExtraGas}`,
    {
      details: {
        maxRelayFeeBPS: Number(pool.maxRelayFeeBps),
        requiredRelayFeeBPS: feeBps,
        tokenSymbol: symbol,
        tokenAddress: pool.asset.asset,
        tokenDecimals: decimals,
        ...(smallest === null ? {} : { minAmount: formatUnits(smallest, decimals) }),
      },
    },
  )
}

/**
 * Quotes the fee of a withdrawal and commits to it. Throws a 400 with the limit if the amount is below the minimum,
 * the fee above the pool's maximum, or gas above the cap. A recipient that would keep the money for good gets a 400
 * too. Throws a 503 while the chain's state is stale.
 */
export async function quoteRelay(parts: RelayQuoteParts, request: RelayQuoteRequest): Promise<RelayerQuote> {
  const { chains, proving, broadcast, relayGas, lostRecipients, config } = parts
  const { relayerChain, pool } = findPool(chains, request.chainId, request.asset)
  checkAmount(pool, request.amount)
  demandRunway(broadcast, request.chainId, config.minRunway)
  const sendingPrice = demandPrice(relayerChain)
  const { gasPrice } = sendingPrice

  const extraGas = request.extraGas && pool.asset.asset !== NATIVE_ASSET
  if (extraGas && !relayerChain.chain.config.relayer.multicall)
    throw unsupportedFeature(
      `${UNSUPPORTED}: extraGas is not offered on chain ${request.chainId}; ask without it`,
    )

  const [price] = await Promise.all([
    orPoolsRefreshing(request.chainId, relayerChain.priceOf(pool.asset)),
    lostRecipients.refuse(request.recipient, { chainId: request.chainId, token: pool.asset.asset }),
  ])
  const { relay: relayTxGas, topUp: topUpGas } = paidRelayGas(sendingPrice, {
    relay: relayGas.quoted(pool),
    topUp: TOP_UP_GAS,
  })
  const fundGas = BigInt(config.extraGasFundUnits)
  const fee: PaidGas = {
    baseFeeBps: BigInt(pool.asset.baseFeeBPS),
    gasPrice,
    gas: extraGas ? [relayTxGas, topUpGas, fundGas] : [relayTxGas],
  }
  const feeBps = demandFee(pool, price, fee, request.amount)
  const terms: FeeTerms = {
    expiration: Date.now() + config.quoteTtlMs,
    asset: pool.asset.asset,
    withdrawalData: encodeRelayData({
      recipient: request.recipient,
      feeRecipient: relayerChain.feeReceiver,
      relayFeeBps: feeBps,
    }),
    extraGas,
    amount: request.amount,
  }
  const signedRelayerCommitment = await proving.signFeeCommitment({
    signer: relayerChain.commitmentSigner,
    message: messageOf(request.chainId, terms),
  })
  return {
    baseFeeBps: fee.baseFeeBps,
    feeBps,
    gasPrice,
    feeCommitment: { ...terms, signedRelayerCommitment },
    detail: {
      relayTxCost: gasCost(relayTxGas, gasPrice),
      ...(extraGas && {
        extraGasFundAmount: gasCost(fundGas, gasPrice),
        extraGasTxCost: gasCost(topUpGas, gasPrice),
      }),
    },
  }
}

/** The gas that a fee pays for; the relay's own comes first, and more only with extra gas. */
interface PaidGas {
  baseFeeBps: bigint
  gasPrice: bigint
  gas: readonly [bigint, ...bigint[]]
}

/** Returns the fee in basis points of the amount. @throws ServiceError 400 with the smallest amount above the pool's maximum. */
function demandFee(pool: Pool, price: NativePrice, fee: PaidGas, amount: bigint): bigint {
  const amountInWei = price.toWei(amount)
  const feeBps = computeRelayFeeBps({ ...fee, amountInWei })
  if (feeBps !== null && feeBps <= pool.maxRelayFeeBps) return feeBps
  const [relayGas] = fee.gas
  const plain = computeRelayFeeBps({ ...fee, gas: [relayGas], amountInWei })
  const smallestWei = smallestAmountInWei(fee, pool.maxRelayFeeBps)
  const isForExtraGas = fee.gas.length > 1 && plain !== null && plain <= pool.maxRelayFeeBps
  throw feeAboveMaximum(pool, feeBps ?? 10_000n, { smallestWei, price, isForExtraGas })
}
