import { formatUnits, type Address } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import type { SendingPrice } from '../../chain/nodes/sending-price.ts'
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
import type { RelayQuoteRequest, RelayTerms, RelayerQuote } from './withdrawals.ts'
import { badRequest } from '../../errors.ts'
import { unsupportedFeature, withdrawalAmountTooSmall } from './errors.ts'

/** Pools of Privacy Pools v1 accept only deposits below 2^128 − 1. */
const MAX_AMOUNT = (1n << 128n) - 1n

/** Published clients request extraGas by default, and again without it only if the message has this word. */
const UNSUPPORTED = unsupportedFeature.terms.code

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

interface RelayFeeSources {
  chains: RelayerChains
  proving: ProvingPool
  broadcast: BroadcastEngine
  relayGas: RelayGas
  lostRecipients: LostRecipients
  config: WithdrawalsConfig
}

/** Prices relays at present, and commits to their fees. */
export class RelayFees {
  readonly #sources: RelayFeeSources

  constructor(sources: RelayFeeSources) {
    this.#sources = sources
  }

  /**
   * Quotes the fee of a withdrawal and commits to it. Throws a 400 with the limit if the amount is below the minimum,
   * the fee above the pool's maximum, or gas above the cap. A recipient that would keep the money for good gets a 400
   * too. Throws a 503 while the chain's state is stale.
   */
  async quote(request: RelayQuoteRequest): Promise<RelayerQuote> {
    const { chains, proving, lostRecipients, config } = this.#sources
    const { chainId, amount, recipient } = request
    checkAmount(findPool(chains, chainId, request.asset).pool, amount)
    const { relayerChain, pool, sendingPrice } = this.#demandServed(chainId, request.asset)
    const { gasPrice } = sendingPrice
    const extraGas = request.extraGas && pool.asset.asset !== NATIVE_ASSET
    if (extraGas && !relayerChain.chain.config.relayer.multicall)
      throw unsupportedFeature(`${UNSUPPORTED}: extraGas is not offered on chain ${chainId}; ask without it`)
    const [price] = await Promise.all([
      orPoolsRefreshing(chainId, relayerChain.priceOf(pool.asset)),
      lostRecipients.refuse(recipient, { chainId, token: pool.asset.asset }),
    ])
    const gas = this.#paidGas(pool, sendingPrice)
    const fundGas = BigInt(config.extraGasFundUnits)
    const fee: PaidGas = {
      baseFeeBps: BigInt(pool.asset.baseFeeBPS),
      gasPrice,
      gas: extraGas ? [gas.relay, gas.topUp, fundGas] : [gas.relay],
    }
    const feeBps = demandFee(pool, price, fee, amount)
    const terms: FeeTerms = {
      expiration: Date.now() + config.quoteTtlMs,
      asset: pool.asset.asset,
      withdrawalData: encodeRelayData({
        recipient,
        feeRecipient: relayerChain.feeReceiver,
        relayFeeBps: feeBps,
      }),
      extraGas,
      amount,
    }
    const signedRelayerCommitment = await proving.signFeeCommitment({
      signer: relayerChain.commitmentSigner,
      message: messageOf(chainId, terms),
    })
    return {
      baseFeeBps: fee.baseFeeBps,
      feeBps,
      gasPrice,
      feeCommitment: { ...terms, signedRelayerCommitment },
      detail: {
        relayTxCost: gasCost(gas.relay, gasPrice),
        ...(extraGas && {
          extraGasFundAmount: gasCost(fundGas, gasPrice),
          extraGasTxCost: gasCost(gas.topUp, gasPrice),
        }),
      },
    }
  }

  /** Reads the present terms of a relay for any amount: the fee that a quote of each amount would have. */
  async readTerms({ chainId, asset }: { chainId: number; asset: Address }): Promise<RelayTerms> {
    const { relayerChain, pool, sendingPrice } = this.#demandServed(chainId, asset)
    const price = await orPoolsRefreshing(chainId, relayerChain.priceOf(pool.asset))
    const fee = {
      baseFeeBps: BigInt(pool.asset.baseFeeBPS),
      gasPrice: sendingPrice.gasPrice,
      gas: [this.#paidGas(pool, sendingPrice).relay],
    }
    const feeBps = (amount: bigint) =>
      computeRelayFeeBps({ ...fee, amountInWei: price.toWei(amount) }) ?? 10_000n
    const smallestWei = smallestAmountInWei(fee, pool.maxRelayFeeBps)
    // One unit more than the rounded-down conversion is worth at least that many wei.
    const affordable = smallestWei === null ? null : price.fromWei(smallestWei) + 1n
    const { minWithdrawAmount } = pool.asset
    const leastAmount = affordable !== null && affordable < minWithdrawAmount ? minWithdrawAmount : affordable
    return {
      baseFeeBps: fee.baseFeeBps,
      maxFeeBps: pool.maxRelayFeeBps,
      leastAmount,
      feeBps,
    }
  }

  /** Finds a pool whose relays can be sent now, with the price. @throws ServiceError 400, 503. */
  #demandServed(chainId: number, asset: Address) {
    const { chains, broadcast, config } = this.#sources
    const { relayerChain, pool } = findPool(chains, chainId, asset)
    demandRunway(broadcast, chainId, config.minRunway)
    return { relayerChain, pool, sendingPrice: demandPrice(relayerChain) }
  }

  #paidGas(pool: Pool, sendingPrice: SendingPrice) {
    return paidRelayGas(sendingPrice, { relay: this.#sources.relayGas.quoted(pool), topUp: TOP_UP_GAS })
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
