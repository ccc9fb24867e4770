import { z } from 'zod'
import {
  hex,
  log,
  quantity,
  resultAt,
  toQuantity,
  toRpcBlock,
  toRpcCall,
  toRpcOverrides,
  withoutAccessList,
  type ProvidedJob,
  type Provider,
  type WatchedBalances,
  type Hex,
} from './provider.ts'
import type { StateOverrides, Watch } from '../simulate-job.ts'
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
const READER_OVERRIDES: StateOverrides = {
  [READER]: { code: WATCHED_BALANCES_CODE },
  [CALLER]: { balance: MUCH },
}

/** Encodes the call that reads the watched balances for JSON-RPC. */
function toReadCall(watch: Watch, fees: ProvidedJob['fees']) {
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
function parseBalances(returnData: Hex): WatchedBalances {
  const words = returnData.slice(2).match(/.{64}/g) ?? []
  const [offset = '', count = '', ...answers] = words
  if (BigInt(`0x${offset}`) !== 32n || answers.length !== 2 * Number(`0x${count}`))
    throw new RangeError('the balances that a node read are of another form')
  return Array.from({ length: answers.length / 2 }, (_, place) => {
    const [answered, amount] = [answers[2 * place], answers[2 * place + 1]]
    return BigInt(`0x${answered}`) === 1n ? BigInt(`0x${amount}`) : null
  })
}

const simulated = z.object({
  status: quantity,
  gasUsed: quantity,
  returnData: hex,
  logs: z.array(log).nullish(),
  error: z.object({ message: z.string() }).nullish(),
})
const blockOf = <Calls extends z.ZodType>(calls: Calls) =>
  z.tuple([z.object({ number: quantity.optional(), calls })])
const answer = blockOf(z.tuple([simulated]))
const watchedAnswer = blockOf(z.tuple([simulated, simulated, simulated]))
const simulatedBlock = z.tuple([z.object({ number: quantity.optional() })])

/**
 * `eth_simulateV1` of the execution API. Validation makes the base fee real: without it some nodes simulate with a base fee
 * of 0, whatever the override says. Nodes fill in the nonce, and the caller ensures the sender's balance. Two more calls,
 * one before and one after, read the watched balances. Each is a transaction of its own, so that the gas of the call is the
 * same. The simulated block comes after the newest one; its number is left to the node, which may know a newer block than we
 * do.
 */
export const simulateV1: Provider = {
  name: 'rpc-simulate',
  watches: true,
  requests(job, { isPlain, isDated, isNumbered }) {
    const { watch, fees } = job
    const stateOverrides = toRpcOverrides(
      watch ? { ...job, stateOverrides: { ...job.stateOverrides, ...READER_OVERRIDES } } : job,
    )
    const read = watch && toReadCall(watch, fees)
    const { time, ...block } = toRpcBlock(job) ?? {}
    const number = isNumbered && job.block && toQuantity(job.block.number)
    const blockOverrides = { ...block, ...(isDated && time && { time }), ...(number && { number }) }
    const blockCalls = {
      calls: read ? [read, toRpcCall(job), read] : [toRpcCall(job)],
      ...(stateOverrides && { stateOverrides }),
      ...(job.block && { blockOverrides }),
    }
    const validation = fees !== undefined && !isPlain
    const traceTransfers = watch !== undefined
    return [
      {
        method: 'eth_simulateV1',
        params: [
          { blockStateCalls: [blockCalls], validation, ...(traceTransfers && { traceTransfers }) },
          'latest',
        ],
      },
    ]
  },
  read(results, job) {
    const [before, asked, after] = readCalls(resultAt(results, 0), job)
    const { status, returnData, logs, error } = asked
    const gasUsed = withoutAccessList(asked.gasUsed, job)
    if (status !== 1n) {
      // some nodes list logs of reverted calls: they never happened
      return { success: false, gasUsed, data: returnData, message: error?.message ?? 'execution reverted' }
    }
    const ran = { success: true, gasUsed, logs: logs ?? [], returnData } as const
    if (before?.status !== 1n || after?.status !== 1n) return ran
    return {
      ...ran,
      balances: { before: parseBalances(before.returnData), after: parseBalances(after.returnData) },
    }
  },
  standsStill(results, { block: wanted }) {
    const [{ number }] = simulatedBlock.parse(resultAt(results, 0))
    return wanted !== undefined && number === wanted.number - 1n
  },
}

/** Parses the call itself, with the reads before and after it where the job watches something. */
function readCalls(result: unknown, { watch }: ProvidedJob) {
  if (watch) return watchedAnswer.parse(result)[0].calls
  const [{ calls }] = answer.parse(result)
  return [undefined, calls[0], undefined] as const
}
