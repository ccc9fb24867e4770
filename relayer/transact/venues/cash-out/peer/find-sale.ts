import { decodeFunctionData, isAddressEqual, parseEventLogs, type Address, type Log } from 'viem'
import {
  computeDepositKey,
  peerEscrowAbi,
  type CreateDepositParams,
} from '../../../../chain/contracts/peer-escrow.ts'
import type { Call } from '../../../intents/intent.ts'
import type { SimulatedRun } from '../../../intents/simulated-run.ts'
import type { OpenedSale } from '../cash-out-venue.ts'

/**
 * Decodes the sale that calls open for a depositor: by the depositor itself, or by a contract that names the depositor.
 * Null unless exactly one call goes to the escrow, and opens such a sale.
 */
export function decodeSale(calls: readonly Call[], escrow: Address, depositor: Address): OpenedSale | null {
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
export function hasOpenedSale({ logs }: Pick<SimulatedRun, 'logs'>, sale: OpenedSale): boolean {
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
