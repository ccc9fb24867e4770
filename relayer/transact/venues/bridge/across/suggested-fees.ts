import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { readBounded } from '../../../../../proving/read-bounded.ts'
import { amountTooLow, swapUnavailable } from '../../../errors.ts'
import { amountTooHigh } from '../errors.ts'

/** An answer has some 3 KB. */
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_FILL_SECONDS = 86_400

/** Nothing that Across carries has more units: `MAX_TRANSFER_SIZE` of its contracts. */
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

/** What is read of an answer. Its addresses are not: contracts come from the configuration. */
const suggestedFees = z.object({
  totalRelayFee: z.object({ total: amount }),
  isAmountTooLow: z.boolean(),
  timestamp: seconds,
  estimatedFillTimeSec: z.number().min(0).max(MAX_FILL_SECONDS),
  limits: z.object({ minDeposit: amount, maxDeposit: amount }),
})
const refusal = z.object({ code: z.string().max(64) })

/** What Across says of a transfer. Amounts in the smallest unit of the input token. */
export interface SuggestedFees {
  /** All of the fee: of the liquidity, the filler's capital and its gas. */
  fee: bigint
  /** Seconds since 1970, of the state that the fee was computed by. */
  timestamp: number
  fillSeconds: number
}

/** A transfer without whoever makes it. */
export interface FeesAsk {
  originChainId: number
  destinationChainId: number
  inputToken: Address
  outputToken: Address
  amount: bigint
  /** A message and the contract that would run it: `recipient` of the API. */
  message: { data: Hex; handler: Address } | null
}

/** The service that is asked. */
export interface FeesService {
  /** Where `suggested-fees` is answered. */
  url: string
  timeoutMs: number
}

/**
 * Asks Across what a transfer costs. It is told the pair and the amount, and of a message one that is made for nobody.
 * @throws ServiceError `bad-request` AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH with the limit where it is known; `bad-gateway`
 * SWAP_UNAVAILABLE when it does not answer in time, or nothing that can be read.
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
