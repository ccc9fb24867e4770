import { BaseError, RpcRequestError } from 'viem'

/** The part of an error that is logged. */
export interface ErrorDescription {
  type: string
  message: string
  code?: string | number
  constraint?: string
  stack?: string
  cause?: ErrorDescription
  errors?: ErrorDescription[]
}

const DEPTH = 6
const LONGEST = 500

/** Hides calldata, proofs, addresses and field elements, because they identify a person's withdrawal. */
const hideNumbers = (text: string) =>
  text.replaceAll(/0x[0-9a-f]{40,}|\b[0-9a-f]{40,}\b|\d{20,}/gi, '[hidden]')

/** For text that bypasses the log, which shortens URLs itself. */
const shorten = (message: unknown) => hideNumbers(shortenAddresses(String(message))).slice(0, LONGEST)

/** The message of a node's error; empty if the node omits it or sends no text. */
const readWords = (answer: unknown) =>
  answer instanceof RpcRequestError && typeof answer.details === 'string' && answer.details !== ''
    ? ` (${answer.details.split('\n')[0]})`
    : ''

/**
 * Errors of the chain client repeat URL, request body and arguments in their message, and an answer of a gateway may
 * repeat its key. Only the short message is kept, and the message of a node that understood the request.
 */
function readMessage(error: Error): string {
  if (!(error instanceof BaseError)) return error.message
  const words = readWords(error.walk((cause) => cause instanceof RpcRequestError))
  return `${error.shortMessage.split('\n')[0]}${words}`
}

const readFrames = (error: Error) =>
  typeof error.stack === 'string' &&
  error.stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')

/**
 * An error in its logged form, causes included. Only known members, because database and chain clients add the values
 * of the failed statement and the body of the failed request.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: shorten(error) }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  const stack = readFrames(error)
  const isLast = depth === DEPTH
  return {
    type: error.name,
    message: shorten(readMessage(error)),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(stack && { stack }),
    ...(error.cause instanceof Error && !isLast && { cause: describeError(error.cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      !isLast && { errors: error.errors.map((each) => describeError(each, depth + 1)) }),
  }
}

const ADDRESS = /\b((?:https?|wss?|postgres(?:ql)?|rediss?):\/\/)([^\s"\\/@]*@)?([^\s"\\/]+)([^\s"\\]*)/g

/** Reduces URLs anywhere in a text to their host: paths and queries of RPC URLs contain keys. */
export function shortenAddresses(text: string): string {
  return text.replaceAll(ADDRESS, (_, scheme: string, user: string | undefined, host: string, path: string) =>
    user || path.length > 1 ? `${scheme}${host}/…` : scheme + host + path,
  )
}
