import { decodeFunctionData, erc20Abi, getAbiItem, toFunctionSelector } from 'viem'
import type { Call } from '../intents/intent.ts'
import type { FundedPart } from '../kinds/quote-plan.ts'
import type { PricedQuote } from './price-quote.ts'

/** Facts that observers of the chain learn from a quote's transactions. */
export const FUNDING_CAVEATS = [
  'addresses_joined',
  'output_linked',
  'approval_replaced',
  'attribution',
  'beyond_default_scan',
  'payee_linked',
  'amounts_linked',
] as const

/** One of these caveats, as the quote shows it. */
export interface FundingCaveat {
  kind: (typeof FUNDING_CAVEATS)[number]
  /** Number of joined addresses; for that caveat only. */
  addressCount?: number
  /** Number of earlier cash-outs to the same payee; for that caveat only. */
  earlierCashOuts?: number
}

/** Lists the caveats before signing, read from the intents to be signed. */
export function listFundingCaveats(
  { plan, sending, token, amount, chosen, intents }: PricedQuote,
  parts: readonly FundedPart[],
) {
  const output = plan.outputOf(
    amount,
    token,
    parts.map((part) => part.amount),
  ).token
  const isExchanged = output.address !== token.address || output.chainId !== sending.chainId
  const caveats: FundingCaveat[] = []
  if (chosen.inputs.length > 1 && plan.transport === 'shared')
    caveats.push({ kind: 'addresses_joined', addressCount: chosen.inputs.length })
  if (plan.recipient.owned && isExchanged) caveats.push({ kind: 'output_linked' })
  if (intents.some(({ actions }) => replacesApproval(actions))) caveats.push({ kind: 'approval_replaced' })
  if (intents.some(({ caveats: marked }) => marked.length > 0)) caveats.push({ kind: 'attribution' })
  return [...caveats, ...(plan.caveatsOf?.(parts) ?? [])]
}

/** True if the calls reset an approval before they give one: a contract had one before. */
function replacesApproval(calls: readonly Call[]): boolean {
  const approved = calls.flatMap(({ data }) => approvedBy(data) ?? [])
  return approved[0] === 0n
}

const APPROVE = getAbiItem({ abi: erc20Abi, name: 'approve' })
// Hashed once: decoding with the whole ABI hashes each of its functions.
const APPROVE_SELECTOR = toFunctionSelector(APPROVE)

function approvedBy(data: Call['data']): bigint | null {
  if (!data.startsWith(APPROVE_SELECTOR)) return null
  try {
    return decodeFunctionData({ abi: [APPROVE], data }).args[1]
  } catch {
    return null
  }
}
