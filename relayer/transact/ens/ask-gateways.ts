import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { FetchRefusedError, type PublicFetch } from './fetch-public.ts'

/** Most gateways that are tried for one lookup. */
const MAX_GATEWAYS = 4
/** Most lookups for one name. The contract's answer to one may request the next (ERC-3668 allows 4). */
const MAX_LOOKUPS = 4
const MAX_BYTES = 131_072

const answer = z.object({ data: z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/) })

/** An offchain lookup that a contract requests: the arguments of its OffchainLookup (ERC-3668). */
export interface OffchainRequest {
  data: Hex
  sender: Address
  urls: readonly string[]
}

/**
 * Creates a reader that asks the gateways of one resolution (ERC-3668). `{sender}` and `{data}` are replaced;
 * without `{data}` both are sent by POST. A status of 400 to 499 is final; after any other failure the next
 * gateway is asked. Create one reader per resolution, because it counts requests.
 *
 * @throws Error when no gateway has an answer, or when a name asks for more requests than it may.
 */
export function createGatewayReader(
  fetchPublic: PublicFetch,
  signal: AbortSignal,
): (request: OffchainRequest) => Promise<Hex> {
  let lookups = 0
  return async ({ data, sender, urls }) => {
    lookups += 1
    if (lookups > MAX_LOOKUPS) throw new FetchRefusedError('refused: the name asks for too many lookups')
    let failure: unknown = new FetchRefusedError('the name has no gateway')
    for (const template of urls.slice(0, MAX_GATEWAYS)) {
      const isGet = template.includes('{data}')
      const url = template.replaceAll('{sender}', sender.toLowerCase()).replaceAll('{data}', data)
      let got
      try {
        const request = { url, maxBytes: MAX_BYTES, signal }
        got = await fetchPublic(isGet ? request : { ...request, body: { data, sender } })
      } catch (error) {
        signal.throwIfAborted()
        failure = error
        continue
      }
      if (got.status >= 400 && got.status < 500)
        throw new Error(`a gateway refused the name with status ${got.status}`)
      const read = got.status === 200 ? answer.safeParse(parseJson(got.text)) : null
      if (read?.success) return read.data.data as Hex
      failure = new Error(`a gateway answered with status ${got.status} and nothing that we can read`)
    }
    throw failure
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
