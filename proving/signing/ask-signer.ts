import { z } from 'zod'
import { readBounded } from '../rpc/read-bounded.ts'
import type { RemoteKey } from './commitment-signer.ts'

/** A signature is some 200 bytes of JSON. */
const MAX_ANSWER_BYTES = 16 * 1024
const MAX_REASON_LENGTH = 200

const answerShape = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})

/** The signer gave no intelligible answer; another attempt may get one. */
export class SignerUnreachable extends Error {
  override name = 'SignerUnreachable'
}

/** The signer understood and refuses; a retry is useless. */
class SignerRefusal extends Error {
  override name = 'SignerRefusal'
}

function parseAnswer(text: string): z.output<typeof answerShape> | null {
  try {
    return answerShape.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** True for status codes that blame the client for good. */
const isFinal = (status: number) => status >= 400 && status < 500 && status !== 408 && status !== 429

/** One JSON-RPC call over HTTP. Throws SignerUnreachable or SignerRefusal. */
export async function askSigner(key: RemoteKey, params: readonly unknown[]): Promise<unknown> {
  try {
    const response = await fetch(key.remote, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key.authorization !== undefined && { authorization: key.authorization }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: key.method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(key.timeoutMs),
    })
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    if (text === null) throw new SignerUnreachable(`its answer is larger than ${MAX_ANSWER_BYTES} bytes`)
    const answer = parseAnswer(text)
    if (answer?.error) throw new SignerRefusal(answer.error.message.slice(0, MAX_REASON_LENGTH))
    if (isFinal(response.status)) throw new SignerRefusal(`HTTP ${response.status}`)
    if (!answer || !response.ok) throw new SignerUnreachable(`HTTP ${response.status} without JSON-RPC`)
    return answer.result
  } catch (error) {
    if (error instanceof SignerUnreachable || error instanceof SignerRefusal) throw error
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    throw new SignerUnreachable(timedOut ? `no answer in ${key.timeoutMs} ms` : 'no connection', {
      cause: error,
    })
  }
}
