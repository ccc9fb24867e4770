import type { Address } from 'viem'
import { z } from 'zod'
import { readBounded } from '../../../proving/rpc/read-bounded.ts'
import { createSharedTurns } from '../../shares/shared-turns.ts'
import type { SourcifyConfig } from './config.ts'

const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const AT_ONCE = 4
const MOST_WAITING = 32
const FIELDS = [
  'abi',
  'metadata',
  'runtimeBytecode.recompiledBytecode',
  'runtimeBytecode.transformations',
  'runtimeBytecode.transformationValues',
  'runtimeBytecode.immutableReferences',
  'runtimeBytecode.cborAuxdata',
].join()

const hex = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/)
const offset = z.int().nonnegative()
const values = z.record(z.string(), hex).nullish()

const contract = z.object({
  runtimeMatch: z.enum(['exact_match', 'match']).nullable(),
  abi: z.array(z.unknown()).max(10_000).nullable(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  runtimeBytecode: z.object({
    recompiledBytecode: hex,
    transformations: z
      .array(
        z.object({
          type: z.string(),
          reason: z.string(),
          offset,
          id: z.union([z.string(), z.number().transform(String)]).optional(),
        }),
      )
      .max(10_000)
      .nullable(),
    transformationValues: z
      .object({
        libraries: values,
        immutables: values,
        cborAuxdata: values,
        callProtection: hex.nullish(),
      })
      .nullable(),
    immutableReferences: z
      .record(z.string(), z.array(z.object({ start: offset, length: z.int().min(1).max(32) })))
      .nullish(),
    cborAuxdata: z.record(z.string(), z.object({ value: hex, offset })).nullish(),
  }),
})

/** The server's answer about a contract, in the shape of the protocol. It is not trusted. */
export type ToldContract = z.output<typeof contract>

/** The server has no answer now: too slow, failing, overloaded, or not of the protocol. */
export class SourcifyError extends Error {
  override name = 'SourcifyError'
}

/** Requests the server's answer about a contract; null if the contract is not verified. @throws SourcifyError. */
export type AskSourcify = (chainId: number, address: Address) => Promise<ToldContract | null>

/**
 * Creates a client of Sourcify's API, version 2 (`GET /v2/contract/{chainId}/{address}`). The server receives only
 * the path, with the chain's number and the address. At most four requests run at once, in turns of clients.
 */
export function askSourcify(config: Exclude<SourcifyConfig, false>): AskSourcify {
  const { url, timeoutMs } = config
  const base = url.replace(/\/+$/, '')
  const turns = createSharedTurns({
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    refuse: () => new SourcifyError('too many questions wait'),
  })

  async function ask(chainId: number, address: Address): Promise<ToldContract | null> {
    const response = await fetch(`${base}/v2/contract/${chainId}/${address}?fields=${FIELDS}`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // A chain that the server does not know has no verified contracts.
    if (response.status === 404 || response.status === 400) {
      await response.body?.cancel()
      return null
    }
    if (!response.ok) throw new SourcifyError(`it answered ${response.status}`)
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    if (text === null) throw new SourcifyError(`it answered more than ${MAX_ANSWER_BYTES} bytes`)
    return contract.parse(JSON.parse(text))
  }

  return (chainId, address) =>
    turns.run(async () => {
      try {
        return await ask(chainId, address)
      } catch (cause) {
        if (cause instanceof SourcifyError) throw cause
        throw new SourcifyError('it cannot be reached or does not speak the protocol', { cause })
      }
    })
}
