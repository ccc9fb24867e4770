import type { Principal } from '../../relayer/identity/principal.ts'
import type { KeepAnswer } from '../../relayer/keep-answer.ts'
import { forClient, forQuery } from '../../relayer/shares/client.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { demandOwnAccount, demandScope } from './access.ts'
import type { OperationContext } from './context.ts'
import type { InputShapes, Operation, ParsedInput, PartedAnswer } from './operation.ts'
import { isEmptyShape, inspectShape } from './inspect-shape.ts'
import { describeIssues } from './describe-issues.ts'
import { badRequest, unauthorized } from '../../relayer/errors.ts'
import { isAboutPath } from './error-status.ts'
import { takeFromLimit, UNAUTHORIZED_LIMIT } from './limits.ts'
import type { AnswerText } from './text-writer.ts'
import { isOfAccount } from './operation-errors.ts'
import { safeParse, type core } from 'zod'

/** Input as received: by REST with numbers already parsed from text, by GraphQL already coerced. */
export type RawInput = Partial<Record<keyof InputShapes, unknown>> & {
  /**
   * Reads the body, in place of `body`. It is called only once the caller is known, because reading costs time and
   * memory.
   */
  readBody?: () => Promise<unknown>
}

/**
 * Runs an operation, for REST and GraphQL alike: checks access, rate limit, ownership and input, then runs the
 * operation itself, once per idempotency key.
 *
 * @returns The answer in wire form (decimal strings, no bigint).
 * @throws ServiceError for everything that the client caused or may retry.
 */
export async function invoke(
  operation: Operation,
  input: RawInput,
  context: OperationContext,
): Promise<unknown> {
  return invokeWith(operation, input, context, operation.encode, same)
}

const same = (answer: unknown) => answer

/** As {@link invoke}. @returns The answer as JSON. */
export async function invokeText(
  operation: Operation,
  input: RawInput,
  context: OperationContext,
): Promise<AnswerText> {
  return invokeWith<AnswerText>(operation, input, context, operation.writeText, (answer) =>
    JSON.stringify(answer),
  )
}

/**
 * Runs an operation with the given writers.
 * @param write Writes an answer as the operation returned it.
 * @param rewrite Writes an answer stored under an idempotency key, in wire form.
 */
async function invokeWith<Written>(
  operation: Operation,
  input: RawInput,
  context: OperationContext,
  write: (answer: unknown) => Written | Promise<Written>,
  rewrite: (answer: unknown) => Written,
): Promise<Written> {
  const { principal, accountId, parsed } = await admit(operation, input, context)
  const { costly, room } = context
  const answer = async <Answer>(
    encode: (answer: unknown) => Answer | Promise<Answer>,
    keepAnswer?: KeepAnswer<unknown>,
  ): Promise<Answer> => {
    room?.demand()
    const start = () => operation.run(parsed, { ...context, principal, keepAnswer })
    const encoded = await encode(await (operation.kind === 'query' ? forQuery(start) : start()))
    await room?.take(encoded)
    return encoded
  }
  // Only reads count for their account; changes count as work for all.
  const reads = operation.kind === 'query' ? accountId : null
  const run = <Answer>(
    encode: (answer: unknown) => Answer | Promise<Answer>,
    keepAnswer?: KeepAnswer<unknown>,
  ) =>
    forClient(
      clientOf(context, principal),
      () => (operation.isCostly ? costly.run(() => answer(encode, keepAnswer)) : answer(encode, keepAnswer)),
      reads,
    ).catch((error: unknown) => {
      throw asMissing(operation, error)
    })
  const key = readIdempotencyKey(operation, context.idempotencyKey)
  if (key === null || accountId === null) return run(write)
  let isRepeated = true
  const stored = await context.idempotency.once(
    { accountId, operation: operation.name, key, input: parsed },
    (keep) => {
      isRepeated = false
      return run(operation.encode, async (transaction, made) =>
        keep(transaction, await operation.encode(made)),
      )
    },
  )
  if (isRepeated) await operation.checkRepeated?.(stored, parsed, { ...context, principal })
  return rewrite(stored)
}

/**
 * As {@link invoke}, for an operation that answers in parts.
 *
 * @throws ServiceError as above; `parts` of the answer throws it too.
 */
export async function invokeInParts(
  operation: Operation & Required<Pick<Operation, 'answerInParts'>>,
  input: RawInput,
  context: OperationContext,
): Promise<PartedAnswer> {
  const { principal, accountId, parsed } = await admit(operation, input, context)
  const reading = operation.kind === 'query' ? forQuery : <Result>(work: () => Result) => work()
  const begin = () => reading(() => operation.answerInParts(parsed, { ...context, principal }))
  try {
    const answer = await forClient(clientOf(context, principal), begin, accountId)
    return { ...answer, parts: () => reading(() => answer.parts()) }
  } catch (error) {
    throw asMissing(operation, error)
  }
}

/** The client whose share of the shared resources the work uses. */
const clientOf = ({ client }: OperationContext, principal: Principal | null) => ({
  network: client.address,
  account: principal?.id ?? null,
})

/** Checks access, rate limit, ownership and input. */
async function admit(operation: Operation, input: RawInput, context: OperationContext) {
  const principal = operation.access === 'public' ? null : await context.authenticate()
  const refused = operation.access === 'bearer' && !principal
  await takeFromLimit(
    {
      operation: operation.name,
      // Requests without a valid token share the limit of their address.
      limit: refused ? Math.min(operation.limit, UNAUTHORIZED_LIMIT) : operation.limit,
      client: principal ? { principal: principal.id } : context.client,
    },
    context,
  )
  if (refused) throw unauthorized()
  if (operation.access === 'bearer' && principal)
    demandScope(principal, operation.kind === 'query' ? 'read' : 'write')
  const accountId = isOfAccount(operation.input)
    ? demandOwnAccount(accountIdOf(input), principal, operation.foreignAccount)
    : null
  const parsed = parseInput(operation, input.readBody ? { ...input, body: await input.readBody() } : input)
  return { principal, accountId, parsed }
}

/** Converts an error about a missing thing: if the path names it, the answer is 404, otherwise 400. */
function asMissing({ input }: Operation, error: unknown): unknown {
  if (!(error instanceof ServiceError && isAboutPath(error.definition, input))) return error
  return new ServiceError(error.definition, error.message, {
    kind: 'not-found',
    details: error.details,
    cause: error,
  })
}

function accountIdOf(input: RawInput): unknown {
  return (input.path as { accountId?: unknown } | undefined)?.accountId
}

function readIdempotencyKey(operation: Operation, key: string | null): string | null {
  if (!operation.idempotency) return null
  if (key === null && operation.idempotency === 'optional') return null
  if (key !== null && key.length >= 1 && key.length <= 255) return key
  throw badRequest('Idempotency-Key: expected 1 to 255 characters')
}

function parseInput(operation: Operation, input: RawInput): ParsedInput {
  const parsed: ParsedInput = {}
  const problems: string[] = []
  for (const member of ['path', 'query', 'body'] as const) {
    const shape = operation.input[member]
    if (!shape) continue
    const isEmpty = member === 'body' && isEmptyShape(shape)
    const given = input[member] ?? (isEmpty ? {} : input[member])
    const asGiven = shape.safeParse(given, { reportInput: true })
    const result =
      asGiven.success || !operation.anyIntegers
        ? asGiven
        : shape.safeParse(readIntegers(shape, given), { reportInput: true })
    // An empty body is dropped: the input must be the same for an idempotency key with and without it.
    if (result.success && isEmpty) continue
    if (result.success) parsed[member] = result.data
    else problems.push(...describeIssues(result.error.issues, member))
  }
  if (problems.length > 0) throw badRequest(problems.join('; '))
  return parsed
}

/**
 * Rewrites integers of an input to the form that its shape has: a number, or a string of decimal digits. Published wallets
 * send either, or 0x-hex. Any other value stays as it is, and the validation refuses it.
 */
function readIntegers(shape: core.$ZodType, given: unknown): unknown {
  if (fits(shape, given)) return given
  const { base } = inspectShape(shape)
  const { def } = base._zod
  if (def.type === 'object' && isRecord(given)) {
    const members = def.shape
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const member = Object.hasOwn(members, name) ? members[name] : undefined
        return [name, member ? readIntegers(member, value) : value]
      }),
    )
  }
  if (def.type === 'array' && Array.isArray(given))
    return given.map((item) => readIntegers(def.element, item))
  const integer = integerOf(given)
  if (integer === null) return given
  return [Number(integer), String(integer)].find((form) => fits(shape, form)) ?? given
}

const fits = (shape: core.$ZodType, given: unknown) => safeParse(shape, given).success

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** Null for a number that JSON does not carry exactly, and for text in any other form. */
function integerOf(given: unknown): bigint | null {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : null
  const isInteger = typeof given === 'string' && /^(?:0|[1-9]\d{0,77}|0x[0-9a-fA-F]{1,64})$/.test(given)
  return isInteger ? BigInt(given) : null
}
