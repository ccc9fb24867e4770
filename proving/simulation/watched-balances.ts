import type { StateOverrides, Watch } from '../simulate-job.ts'
import { toQuantity, type WatchedBalances, type Hex, type ProvidedJob } from './provider.ts'
import { WATCHED_BALANCES_CODE } from './watched-balances-code.ts'

/** `read(address[],address[])` of contracts/WatchedBalances.sol. */
const READ_SELECTOR: Hex = '0x78ddbbc8'
/** Nobody's: where the reading contract is while a block is simulated, and who calls it. */
const READER: Hex = '0x00000000000000000000000000000000000ba1a9'
const CALLER: Hex = '0x00000000000000000000000000000000000ba1aa'
const MUCH = 2n ** 128n - 1n
/** What a token may spend, with what the reading contract takes for it. */
const GAS_EACH = 320_000n
const GAS_FIRST = 100_000n

/** The reading contract, and who pays for its calls where the block asks a base fee. */
export const READER_OVERRIDES: StateOverrides = {
  [READER]: { code: WATCHED_BALANCES_CODE },
  [CALLER]: { balance: MUCH },
}

/** The call that reads the watched balances, as JSON-RPC writes it. */
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

/** `read(address[],address[])`, written by hand: a library would look at the checksum of every address. */
function encodeRead({ owners, tokens }: Watch): Hex {
  const second = 32 * (2 + 1 + owners.length)
  const words = [64, second, owners.length, ...owners, tokens.length, ...tokens.map((one) => one ?? '0x')]
  return `${READ_SELECTOR}${words.map((word) => toWord(word)).join('')}`
}

/** Reads what that call returned. @throws RangeError where it is not what the contract returns. */
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
