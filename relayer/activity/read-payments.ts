import {
  decodeFunctionData,
  erc20Abi,
  getAddress,
  isAddressEqual,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { z } from 'zod'
import { decodeCalls } from '../transact/intents/encode-calls.ts'
import type { Call } from '../transact/intents/intent.ts'

/** An amount that an intent moves. */
export interface Payment {
  from: Address
  to: Address
  /** The zero address for the native coin. */
  token: Address
  /** Smallest unit. */
  value: bigint
}

const quoted = z.object({
  intents: z.array(z.object({ eoa: z.string(), executionData: z.string() })),
})

/** What the intents of a quote pay its recipient, and what they pay us, as they are signed. */
export function readPayments(terms: unknown, recipient: Address): { payments: Payment[]; fees: Payment[] } {
  const { success, data } = quoted.safeParse(terms)
  if (!success) return { payments: [], fees: [] }
  const all = data.intents.flatMap(({ eoa, executionData }) =>
    (decodeCalls(executionData as Hex) ?? []).flatMap((call) => readPayment(getAddress(eoa), call) ?? []),
  )
  return {
    payments: all.filter(({ to }) => isAddressEqual(to, recipient)),
    fees: all.filter(({ to }) => !isAddressEqual(to, recipient)),
  }
}

function readPayment(from: Address, { to, value, data }: Call): Payment | null {
  if (data === '0x') return { from, to: getAddress(to), token: zeroAddress, value }
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    if (functionName !== 'transfer') return null
    return { from, to: getAddress(args[0]), token: getAddress(to), value: args[1] }
  } catch {
    return null
  }
}

const rated = z.object({ protocolFeeBps: z.number() })

/** The rate of the service fee that the intents of a quote pay, in basis points; null where its terms name none. */
export function readFeeBps(terms: unknown): number | null {
  const { success, data } = rated.safeParse(terms)
  return success ? data.protocolFeeBps : null
}
