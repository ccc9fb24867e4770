/** The error member of a node's answer. */
export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** One answer of a node, before its result is checked against the method's type. */
export interface RpcAnswer {
  id: number
  result?: unknown
  error?: RpcError | null
}

/**
 * Returns the answers to a batch; null where one of them is invalid. Checked by hand, because a service reads answers of
 * nodes all the time.
 */
export const asAnswers = (body: unknown): readonly RpcAnswer[] | null =>
  Array.isArray(body) && body.every(isAnswer) ? body : null

function isAnswer(one: unknown): one is RpcAnswer {
  if (typeof one !== 'object' || one === null || !('id' in one) || typeof one.id !== 'number') return false
  if (!('error' in one) || one.error === null || one.error === undefined) return true
  const { error } = one
  return (
    typeof error === 'object' &&
    'code' in error &&
    typeof error.code === 'number' &&
    'message' in error &&
    typeof error.message === 'string'
  )
}

/** Methods that may be sent twice, because they change nothing. */
export const isQuestion = (method: string): boolean =>
  /^(?:eth_(?!send|sign|submit)|debug_trace|trace_|net_|web3_)/.test(method)
