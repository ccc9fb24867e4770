import { pad, toHex, type Address } from 'viem'
import {
  explainHolding,
  type UnresolvedReason,
} from '../../../../relayer/account/provenance/explain-origin.ts'
import type { Movement, MovingTransaction } from '../../../../relayer/account/provenance/movements.ts'
import { createTrace, type Trace } from '../../../../relayer/account/provenance/trace-movements.ts'

export const addressOf = (name: string): Address => pad(toHex(name), { size: 20 })
export const isOwn = (address: Address) => /^0x0{38}4[1-8]$/.test(address)
export const [A, B] = ['A', 'B'].map(addressOf) as [Address, Address]
export const [T, U] = ['T', 'U'].map(addressOf) as [Address, Address]
export const ENTRYPOINT = addressOf('entrypoint')

export const move = (from: string, to: string, amount: number, more: Partial<Movement> = {}): Movement => ({
  from: addressOf(from),
  to: addressOf(to),
  token: T,
  amount: BigInt(amount),
  index: 0,
  isUnsolicited: false,
  ...more,
})
export const transaction = (
  id: number,
  movements: Movement[],
  more: Partial<MovingTransaction> = {},
): MovingTransaction => ({
  id: `1:${id}`,
  chainId: 1,
  txHash: toHex(id, { size: 32 }),
  movements,
  relayed: [],
  recovered: [],
  action: null,
  departs: [],
  delivers: [],
  ...more,
})

/** Traces a complete list of transactions, in its order. */
export function traceMovements(
  transactions: Iterable<MovingTransaction>,
  isOwnOne: (address: Address) => boolean,
): Trace {
  const trace = createTrace(isOwnOne)
  for (const one of transactions) trace.add(one)
  return trace
}

export interface Asked {
  token?: Address
  held?: bigint
  unresolved?: UnresolvedReason[]
}
export const explain = (
  history: readonly MovingTransaction[],
  address: Address,
  { token = T, held, unresolved = [] }: Asked = {},
) => {
  const trace = traceMovements(history, isOwn)
  const known = trace.lots(1, address, token).reduce((sum, { amount }) => sum + amount, 0n)
  return explainHolding(
    trace,
    { chainId: 1, address, token, held: held ?? known },
    { funding: unresolved, association: [] },
  )
}

export const receive = (address: Address) => `receive:${address}`
export const relay = { relayed: [{ entrypoint: ENTRYPOINT, token: T, received: 5n }] }

/** Leaves, or arrives, under an order. */
export const ofOrder = (orderId: string): Pick<MovingTransaction, 'departs' | 'delivers'> => ({
  departs: [orderId],
  delivers: ['A', 'B', 'C', 'D'].map((name) => ({ orderId, to: addressOf(name) })),
})
