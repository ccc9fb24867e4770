import type { StateOverrides, Watch } from '../simulate-job.ts'
import { toQuantity, type WatchedBalances, type Hex, type ProvidedJob } from './provider.ts'
import { WATCHED_BALANCES_CODE } from './watched-balances-code.ts'

/** `read(address[],address[])` of contracts/WatchedBalances.sol. */
const READ_SELECTOR: Hex = '0x78ddbbc8'
/** Unowned addresses: of the reading contract while a block is simulated, and of its caller. */
const READER: Hex = '0x00000000000000000000000000000000000ba1a9'
const CALLER: Hex = '0x00000000000000000000000000000000000ba1aa'
const MUCH = 2n ** 128n - 1n
/** Gas limit of a token, and the cost of the reading contract for it. */
const GAS_EACH = 320_000n
const GAS_FIRST = 100_000n

/** The reading contract, and the payer of its calls where the block asks a base fee. */
export const READER_OVERRIDES: StateOverrides = {
  [READER]: { code: WATCHED_BALANCES_CODE },
  [CALLER]: { balance: MUCH },
}

/** Encodes the call that reads the watched balances for JSON-RPC. */
export function toReadCall(watch: Watch, fees: ProvidedJob['fees']) {
  return {
    from: CALLER,
    to: READER,
    data: encodeRead(watch),
    gas: toQuantity(GAS_FIRST + GAS_EACH * BigInt(watch.owners.length * watch.tokens.length)),
    ...(fees && {
      maxFeePerGas: toQuantity(fees.maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(fees.maxPriorityFeePerGas),
    }),
  }
}

const WORD_DIGITS = 64
const toWord = (value: number | Hex): string =>
  (typeof value === 'number' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(WORD_DIGITS, '0')

/** Encodes `read(address[],address[])` by hand: a library would check the checksum of every address. */
function encodeRead({ owners, tokens }: Watch): Hex {
  const second = 32 * (2 + 1 + owners.length)
  const words = [64, second, owners.length, ...owners, tokens.length, ...tokens.map((one) => one ?? '0x')]
  return `${READ_SELECTOR}${words.map((word) => toWord(word)).join('')}`
}

/** Parses the result of that call. @throws RangeError where it is not what the contract returns. */
export function parseBalances(returnData: Hex): WatchedBalances {
  const words = returnData.slice(2).match(/.{64}/g) ?? []
  const [offset = '', count = '', ...answers] = words
  if (BigInt(`0x${offset}`) !== 32n || answers.length !== 2 * Number(`0x${count}`))
    throw new RangeError('the balances that a node read are of another form')
  return Array.from({ length: answers.length / 2 }, (_, place) => {
    const [answered, amount] = [answers[2 * place], answers[2 * place + 1]]
    return BigInt(`0x${answered}`) === 1n ? BigInt(`0x${amount}`) : null
  })
}
