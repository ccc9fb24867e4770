import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { readBounded } from '../../../../../proving/rpc/read-bounded.ts'
import { amountTooLow, swapUnavailable } from '../../../errors.ts'
import { amountTooHigh } from '../errors.ts'

/** Answers usually have some 3 KB. */
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_FILL_SECONDS = 86_400

/** Highest amount that Across carries: `MAX_TRANSFER_SIZE` of its contracts. */
const MAX_AMOUNT = 10n ** 36n

const amount = z
  .string()
  .regex(/^\d{1,37}$/)
  .transform(BigInt)
  .refine((value) => value <= MAX_AMOUNT)
const seconds = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(
    z
      .int()
      .min(0)
      .max(2 ** 32 - 1),
  )

/** Members of an answer that are used. Its addresses are not: contracts come from the configuration. */
const suggestedFees = z.object({
  totalRelayFee: z.object({ total: amount }),
  isAmountTooLow: z.boolean(),
  timestamp: seconds,
  estimatedFillTimeSec: z.number().min(0).max(MAX_FILL_SECONDS),
  limits: z.object({ minDeposit: amount, maxDeposit: amount }),
})
const refusal = z.object({ code: z.string().max(64) })

/** Across's quote for a transfer. Amounts in the smallest unit of the input token. */
export interface SuggestedFees {
  /** Whole fee: for liquidity, the filler's capital and its gas. */
  fee: bigint
  /** Seconds since 1970, of the state that the fee was computed from. */
  timestamp: number
  fillSeconds: number
}

/** A transfer without its parties. */
export interface FeesAsk {
  originChainId: number
  destinationChainId: number
  inputToken: Address
  outputToken: Address
  amount: bigint
  /** A message and the contract that would run it: `recipient` of the API. */
  message: { data: Hex; handler: Address } | null
}

/** Address and limit of the fee service. */
export interface FeesService {
  /** Base URL of `suggested-fees`. */
  url: string
  timeoutMs: number
}

/**
 * Requests the fee of a transfer from Across. The service learns the pair, the amount and a message for a random
 * address.
 * @throws ServiceError `bad-request` AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH with the limit if it is known; `bad-gateway`
 * SWAP_UNAVAILABLE when the service does not answer in time, or not readably.
 */
export async function readSuggestedFees(service: FeesService, ask: FeesAsk): Promise<SuggestedFees> {
  const { status, body } = await request(service, ask)
  if (status === 400) {
    const { data } = refusal.safeParse(body)
    const [, side] = /^AMOUNT_TOO_(LOW|HIGH)$/.exec(data?.code ?? '') ?? []
    if (side !== undefined) throw side === 'LOW' ? amountTooLow() : amountTooHigh()
  }
  const { data: fees } = suggestedFees.safeParse(status === 200 ? body : null)
  if (!fees) throw swapUnavailable()
  const { minDeposit, maxDeposit } = fees.limits
  if (minDeposit > maxDeposit) throw swapUnavailable()
  if (ask.amount < minDeposit) throw amountTooLow({ details: { minimum: minDeposit } })
  if (ask.amount > maxDeposit) throw amountTooHigh({ details: { maximum: maxDeposit } })
  if (fees.isAmountTooLow) throw amountTooLow()
  return {
    fee: fees.totalRelayFee.total,
    timestamp: fees.timestamp,
    fillSeconds: fees.estimatedFillTimeSec,
  }
}

async function request(
  { url, timeoutMs }: FeesService,
  ask: FeesAsk,
): Promise<{ status: number; body: unknown }> {
  const address = new URL(url)
  const members = {
    inputToken: ask.inputToken,
    outputToken: ask.outputToken,
    originChainId: String(ask.originChainId),
    destinationChainId: String(ask.destinationChainId),
    amount: String(ask.amount),
    ...(ask.message && { recipient: ask.message.handler, message: ask.message.data }),
  }
  for (const [name, value] of Object.entries(members)) address.searchParams.set(name, value)
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    return { status: response.status, body: text === null ? null : JSON.parse(text) }
  } catch (cause) {
    throw swapUnavailable({ cause })
  }
}
