import { concat, numberToHex, size, slice, type Hex } from 'viem'
import { type Call, encodeCalls } from '../../../relayer/transact/intents/intent.ts'
import { reviewAnew } from '../../harness/review-anew.ts'
import { decodeCalls } from '../../../schema/client/chain/decode-call.ts'
import type { Quote } from '../../../schema/client/quotes/send.ts'
import { lookAlike } from './walk-members.ts'

/** One change of the calls of a quote's first intent. */
export interface CallLie {
  change: string
  lie: Quote
}

/** The quote with other calls in its first intent; its other members stay. */
export function withCalls(quote: Quote, change: (calls: Call[]) => Call[]): Quote {
  const [intent, ...others] = quote.intents
  if (!intent) throw new Error('the quote has no intents')
  const executionData = encodeCalls(change(decodeCalls(intent.executionData).map((call) => ({ ...call }))))
  return reviewAnew({ ...quote, intents: [{ ...intent, executionData }, ...others] })
}

/**
 * Every lie that changes one part of the calls. Each word of the arguments becomes one more, one less, or a look-alike if it
 * is an address. Each target and value changes, and each call is left out, repeated or moved.
 */
export function listCallLies(quote: Quote): CallLie[] {
  const calls = decodeCalls(quote.intents[0]?.executionData ?? '0x')
  const asked = quote.signingReview.intents[0]?.userActionCallIndices.length ?? 0
  const nameOf = (place: number) => (place < asked ? `call ${place}` : 'the fee')
  const lies: [string, (call: Call) => Call[]][] = [
    ['another target', (call) => [{ ...call, to: lookAlike(call.to) }]],
    ['one unit of coin more', (call) => [{ ...call, value: call.value + 1n }]],
    ['left out', () => []],
    ['made twice', (call) => [call, call]],
    ['with a byte behind it', (call) => [{ ...call, data: concat([call.data, '0x01']) }]],
  ]
  const whole = calls.flatMap((_, place) =>
    lies.map(([change, made]) => ({
      change: `${nameOf(place)} ${change}`,
      lie: withCalls(quote, (all) => all.flatMap((call, at) => (at === place ? made(call) : [call]))),
    })),
  )
  const words = calls.flatMap(({ data }, place) =>
    listWords(data).flatMap((word) =>
      changesOfWord(slice(data, word, word + 32)).map(([change, changed]) => ({
        change: `${nameOf(place)} word ${(word - 4) / 32} ${change}`,
        lie: withCalls(quote, (all) =>
          all.map((call, at) =>
            at === place ? { ...call, data: withWord(call.data, word, changed) } : call,
          ),
        ),
      })),
    ),
  )
  const swapped = calls.slice(1).map((_, place) => ({
    change: `calls ${place} and ${place + 1} in the other order`,
    lie: withCalls(quote, (all) => {
      const [one, other] = [all[place]!, all[place + 1]!]
      return [...all.slice(0, place), other, one, ...all.slice(place + 2)]
    }),
  }))
  return [...whole, ...words, ...swapped]
}

/** The positions at which whole words of the arguments begin. */
function listWords(data: Hex): number[] {
  const count = Math.max(0, Math.floor((size(data) - 4) / 32))
  return Array.from({ length: count }, (_, place) => 4 + 32 * place)
}

function changesOfWord(word: Hex): [string, Hex][] {
  const value = BigInt(word)
  const changes: [string, Hex][] = [['one more', numberToHex((value + 1n) % 2n ** 256n, { size: 32 })]]
  if (value > 0n) changes.push(['one less', numberToHex(value - 1n, { size: 32 })])
  if (/^0x0{24}[0-9a-f]{16}/.test(word) && value > 2n ** 140n)
    changes.push(['look-alike', concat(['0x000000000000000000000000', lookAlike(slice(word, 12))])])
  return changes
}

const withWord = (data: Hex, at: number, word: Hex): Hex =>
  concat([slice(data, 0, at), word, ...(size(data) > at + 32 ? [slice(data, at + 32)] : [])])
