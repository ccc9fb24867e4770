import { encodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem'
import {
  hashOfName,
  peerEscrowAbi,
  type CreateDepositParams,
} from '../../../../chain/contracts/peer-escrow.ts'
import type { PeerConfig } from '../../../../chain/nodes/venues-config.ts'
import type { Call } from '../../../intents/intent.ts'
import type { CashOutSale } from '../cash-out-venue.ts'

/**
 * Encodes the escrow's parameters of a sale. There is one payment method in one currency, and no delegate beside the
 * depositor; one buyer may take the whole. The escrow follows the feed and never sells below the minimum rate.
 */
export function encodeParams(config: PeerConfig, sale: CashOutSale): CreateDepositParams {
  const { token, amount, paymentMethod, currency, payeeDetails, minimumRate } = sale
  const feed = config.rates.find((one) => one.currency === currency)
  if (!feed) throw new Error('a sale was planned in a currency without a feed')
  const { adapter, adapterConfig, spreadBps } = feed
  return {
    token,
    amount,
    intentAmountRange: { min: config.minIntentAmount, max: amount },
    paymentMethods: [hashOfName(paymentMethod)],
    paymentMethodData: [{ intentGatingService: config.gatingService, payeeDetails, data: '0x' }],
    currencies: [
      [
        {
          code: hashOfName(currency),
          minConversionRate: minimumRate,
          oracleRateConfig: { adapter, adapterConfig, spreadBps, maxStaleness: config.maxRateAgeSeconds },
        },
      ],
    ],
    delegate: zeroAddress,
    intentGuardian: zeroAddress,
    retainOnEmpty: false,
  }
}

/**
 * Encodes a seller's calls. A remaining allowance is first reset to zero, then exactly the amount is approved. The
 * deposit uses the allowance up, and the last call resets it for tokens that do not count it down.
 */
export function encodeOpenCalls(config: PeerConfig, sale: CashOutSale, allowance: bigint): Call[] {
  const data = encodeFunctionData({
    abi: peerEscrowAbi,
    functionName: 'createDeposit',
    args: [encodeParams(config, sale)],
  })
  return [
    ...(allowance > 0n ? [approve(sale.token, config.escrow, 0n)] : []),
    approve(sale.token, config.escrow, sale.amount),
    { to: config.escrow, value: 0n, data },
    approve(sale.token, config.escrow, 0n),
  ]
}

/** Encodes the calls of a contract that got the amount, and opens the sale for a depositor. */
export function encodeOpenForCalls(config: PeerConfig, sale: CashOutSale, depositor: Address): Call[] {
  const data = encodeFunctionData({
    abi: peerEscrowAbi,
    functionName: 'depositTo',
    args: [depositor, encodeParams(config, sale)],
  })
  return [
    approve(sale.token, config.escrow, sale.amount),
    { to: config.escrow, value: 0n, data },
    approve(sale.token, config.escrow, 0n),
  ]
}

const approve = (token: Address, spender: Address, amount: bigint): Call => ({
  to: token,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
})
