import { isHash, type Hash } from 'viem'
import { z } from 'zod'
import { readBounded } from '../../../../../proving/rpc/read-bounded.ts'
import { cashOutUnavailable, payeeRefused } from '../errors.ts'

/** Answers usually have some 500 bytes. */
const MAX_ANSWER_BYTES = 16 * 1024

/** The service that registers payees. */
export interface Curator {
  url: string
  timeoutMs: number
}

const registered = z.object({
  success: z.literal(true),
  responseObject: z.object({ hashedOnchainId: z.string().refine(isHash) }),
})

/**
 * Registers a payee; the curator learns nothing else. The same payee always gets the same hash.
 * @throws ServiceError `bad-request` PAYEE_REFUSED; `bad-gateway` CASH_OUT_UNAVAILABLE when the curator does not answer
 * in time, or not readably. Neither repeats the curator's text, which could contain the handle.
 */
export async function registerPayee(
  curator: Curator,
  { paymentMethod, handle }: { paymentMethod: string; handle: string },
): Promise<Hash> {
  const { status, body } = await request(curator, '/v2/makers/create', {
    processorName: paymentMethod,
    offchainId: handle,
  })
  if (status === 400 || status === 404 || status === 422) throw payeeRefused()
  const { data } = registered.safeParse(status >= 200 && status < 300 ? body : null)
  if (!data) throw cashOutUnavailable()
  return data.responseObject.hashedOnchainId.toLowerCase() as Hash
}

/**
 * True if a payee is still registered, by its public hash.
 * @throws ServiceError `bad-gateway` CASH_OUT_UNAVAILABLE when the curator does not answer.
 */
export async function isPayeeRegistered(
  curator: Curator,
  { paymentMethod, payeeDetails }: { paymentMethod: string; payeeDetails: Hash },
): Promise<boolean> {
  const { status } = await request(
    curator,
    `/v2/makers/${encodeURIComponent(paymentMethod)}/${encodeURIComponent(payeeDetails)}`,
  )
  if (status === 200) return true
  if (status === 400 || status === 404) return false
  throw cashOutUnavailable()
}

async function request(
  { url, timeoutMs }: Curator,
  path: string,
  told?: Readonly<Record<string, string>>,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      method: told ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(told && { 'content-type': 'application/json' }) },
      ...(told && { body: JSON.stringify(told) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    return { status: response.status, body: text === null ? null : parse(text) }
  } catch (cause) {
    throw cashOutUnavailable({ cause })
  }
}

/** Parses an answer; null if it is no JSON, as a refusal's text may be. An error of the parser would quote it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
