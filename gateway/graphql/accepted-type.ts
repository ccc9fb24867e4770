/** Content types of answers. */
export type AnswerType = 'application/json' | 'application/graphql-response+json' | 'text/event-stream'

const WHOLE = ['application/json', 'application/graphql-response+json'] as const
const STREAM = ['text/event-stream'] as const

/**
 * Chooses the content type by the Accept header; the first acceptable range wins. For a whole answer, JSON is preferred
 * over a stream of one event; a subscription is always a stream.
 *
 * @returns Null if the client accepts none of them.
 */
export function acceptedType(accept: string | undefined, isSubscription: boolean): AnswerType | null {
  const wanted = (accept || '*/*').replaceAll(/\s/g, '').toLowerCase().split(',').flatMap(readRange)
  const choose = (types: readonly AnswerType[]) => {
    for (const range of wanted) for (const type of types) if (isWithin(type, range)) return type
    return null
  }
  return (isSubscription ? null : choose(WHOLE)) ?? choose(STREAM)
}

/** Rejects charsets other than UTF-8. */
function readRange(text: string): string[] {
  const [range = '', ...parameters] = text.split(';')
  const charset = parameters.find((parameter) => parameter.includes('charset='))
  return charset === undefined || charset === 'charset=utf-8' ? [range] : []
}

function isWithin(type: AnswerType, range: string): boolean {
  if (range === type || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}
