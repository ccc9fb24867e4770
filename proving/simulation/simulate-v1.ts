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
} from './provider.ts'
import { READER_OVERRIDES, parseBalances, toReadCall } from './watched-balances.ts'

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
