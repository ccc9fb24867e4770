import { refuseSilence } from '../../../errors.ts'
import type { Chain } from '../../../../chain/nodes/chain.ts'
import {
  encodeFunctionData,
  isAddressEqual,
  zeroAddress,
  type Address,
  decodeFunctionData,
  parseEventLogs,
  type Log,
} from 'viem'
import {
  peerEscrowAbi,
  rateAdapterAbi,
  hashOfName,
  type CreateDepositParams,
  computeDepositKey,
} from '../../../../chain/contracts/peer-escrow.ts'
import type { PeerConfig } from '../../../../chain/nodes/venues-config.ts'
import type { CashOutVenue, CashOutRate, CashOutSale, OpenedSale } from '../cash-out-venue.ts'
import { cashOutUnavailable } from '../errors.ts'
import { isPayeeRegistered, registerPayee } from './ask-curator.ts'
import { withApproval, type Call } from '../../../intents/intent.ts'
import type { SimulatedRun } from '../../../intents/simulated-run.ts'

/**
 * Creates Peer as a cash-out venue: an escrow whose buyers pay by bank or payment app and prove it. Its curator is
 * queried about payees alone; contracts and rates come from the configuration and the chain.
 */
export function createPeerVenue(): CashOutVenue {
  return {
    provider: 'peer',
    findOffer({ config: { venues } }) {
      const { peer } = venues
      if (!peer) return null
      const priced = new Set(peer.rates.map(({ currency }) => currency))
      const methods = peer.methods.map(({ name, currencies }) => ({
        paymentMethod: name,
        currencies: currencies.filter((currency) => priced.has(currency)),
      }))
      return {
        escrow: peer.escrow,
        orchestrator: peer.orchestrator,
        tokens: peer.tokens,
        methods: methods.filter(({ currencies }) => currencies.length > 0),
        minAmount: peer.minIntentAmount,
      }
    },
    readRate: (chain, currency) => readPeerRate(chain, configOf(chain), currency),
    register: (chain, payee) => registerPayee(curatorOf(chain), payee),
    isRegistered: (chain, payee) => isPayeeRegistered(curatorOf(chain), payee),
    openCalls: (chain, sale, allowance) => encodeOpenCalls(configOf(chain), sale, allowance),
    openForCalls: (chain, sale, depositor) => encodeOpenForCalls(configOf(chain), sale, depositor),
    findSale: decodeSale,
    hasOpened: hasOpenedSale,
    async readDeposit({ client }, { escrow, depositId, depositor }) {
      const read = { address: escrow, abi: peerEscrowAbi, args: [depositId] } as const
      const [deposit, [, reclaimable]] = await Promise.all([
        client.readContract({ ...read, functionName: 'getDeposit' }),
        client.readContract({ ...read, functionName: 'getExpiredIntents' }),
      ]).catch(refuseSilence)
      if (deposit.depositor === zeroAddress || !isAddressEqual(deposit.depositor, depositor)) return null
      return {
        token: deposit.token,
        withdrawable: deposit.remainingDeposits + reclaimable,
        free: deposit.remainingDeposits,
        held: deposit.outstandingIntentAmount - reclaimable,
        leastLeft: deposit.acceptingIntents ? deposit.intentAmountRange.min : 0n,
      }
    },
    withdrawCalls: ({ escrow, depositId }, amount) => [
      {
        to: escrow,
        value: 0n,
        data:
          amount === null
            ? encodeFunctionData({ abi: peerEscrowAbi, functionName: 'withdrawDeposit', args: [depositId] })
            : encodeFunctionData({
                abi: peerEscrowAbi,
                functionName: 'removeFunds',
                args: [depositId, amount],
              }),
      },
    ],
  }
}

/** @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE if it is no longer configured. */
function configOf({ config }: Chain): PeerConfig {
  const { peer } = config.venues
  if (!peer) throw cashOutUnavailable()
  return peer
}

function curatorOf(chain: Chain) {
  const { curatorUrl: url, timeoutMs } = configOf(chain)
  return { url, timeoutMs }
}

const WHOLE = 10_000n

/**
 * Reads the rate of a currency from the escrow's own feed, by the escrow's rules.
 * @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE if the feed has no valid price, or only a stale one;
 * `unavailable` when the chain does not answer.
 */
async function readPeerRate(
  { client }: Chain,
  { rates, maxRateAgeSeconds, rateToleranceBps }: PeerConfig,
  currency: string,
): Promise<CashOutRate> {
  const feed = rates.find((one) => one.currency === currency)
  if (!feed) throw cashOutUnavailable()
  const [block, [isValid, market, updatedAt]] = await Promise.all([
    client.getBlock(),
    client.readContract({
      address: feed.adapter,
      abi: rateAdapterAbi,
      functionName: 'getRate',
      args: [feed.adapterConfig],
    }),
  ]).catch(refuseSilence)
  const rate = (market * (WHOLE + BigInt(feed.spreadBps))) / WHOLE
  const minimumRate = (rate * (WHOLE - BigInt(rateToleranceBps))) / WHOLE
  const isFresh = block.timestamp <= updatedAt + BigInt(maxRateAgeSeconds)
  if (!isValid || !isFresh || minimumRate <= 0n) throw cashOutUnavailable()
  return { rate, minimumRate }
}

/**
 * Encodes the escrow's parameters of a sale. There is one payment method in one currency, and no delegate beside the
 * depositor; one buyer may take the whole. The escrow follows the feed and never sells below the minimum rate.
 */
function encodeParams(config: PeerConfig, sale: CashOutSale): CreateDepositParams {
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

/** Encodes a seller's calls. */
function encodeOpenCalls(config: PeerConfig, sale: CashOutSale, allowance: bigint): Call[] {
  const data = encodeFunctionData({
    abi: peerEscrowAbi,
    functionName: 'createDeposit',
    args: [encodeParams(config, sale)],
  })
  const { token, amount } = sale
  const call = { to: config.escrow, value: 0n, data }
  return withApproval({ token, spender: config.escrow, amount, allowance }, [call])
}

/** Encodes the calls of a contract that got the amount, and opens the sale for a depositor. */
function encodeOpenForCalls(config: PeerConfig, sale: CashOutSale, depositor: Address): Call[] {
  const data = encodeFunctionData({
    abi: peerEscrowAbi,
    functionName: 'depositTo',
    args: [depositor, encodeParams(config, sale)],
  })
  const { token, amount } = sale
  const call = { to: config.escrow, value: 0n, data }
  return withApproval({ token, spender: config.escrow, amount, allowance: 0n }, [call])
}

/**
 * Decodes the sale that calls open for a depositor: by the depositor itself, or by a contract that names the depositor.
 * Null unless exactly one call goes to the escrow, and opens such a sale.
 */
function decodeSale(calls: readonly Call[], escrow: Address, depositor: Address): OpenedSale | null {
  const [call, ...more] = calls.filter(({ to }) => isAddressEqual(to, escrow))
  if (!call || more.length > 0) return null
  const params = paramsOf(call, depositor)
  const [data] = params?.paymentMethodData ?? []
  const [[price] = []] = params?.currencies ?? []
  if (!params || !data || !price) return null
  return {
    escrow,
    depositor,
    token: params.token,
    amount: params.amount,
    payeeDetails: data.payeeDetails,
    minimumRate: price.minConversionRate,
    depositKey: computeDepositKey(depositor, params),
  }
}

function paramsOf({ data }: Call, depositor: Address): CreateDepositParams | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: peerEscrowAbi, data })
    if (functionName === 'createDeposit') return args[0]
    return functionName === 'depositTo' && isAddressEqual(args[0], depositor) ? args[1] : null
  } catch {
    return null
  }
}

/** True if the escrow opened exactly this sale in a run, and no other of the depositor's. */
function hasOpenedSale({ logs }: SimulatedRun, sale: OpenedSale): boolean {
  const own = logs.filter(({ address }) => isAddressEqual(address, sale.escrow)) as unknown as Log[]
  const events = parseEventLogs({
    abi: peerEscrowAbi,
    eventName: ['DepositReceived', 'DepositPaymentMethodAdded'],
    logs: own,
  })
  const received = events.flatMap((event) =>
    event.eventName === 'DepositReceived' && isAddressEqual(event.args.depositor, sale.depositor)
      ? event.args
      : [],
  )
  const [only, ...others] = received
  if (!only || others.length > 0) return false
  const payees = events.flatMap((event) =>
    event.eventName === 'DepositPaymentMethodAdded' && event.args.depositId === only.depositId
      ? event.args.payeeDetails
      : [],
  )
  return (
    isAddressEqual(only.token, sale.token) &&
    only.amount === sale.amount &&
    payees.length === 1 &&
    payees[0] === sale.payeeDetails
  )
}
