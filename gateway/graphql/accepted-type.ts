/** What an answer may be sent as. */
export type AnswerType = 'application/json' | 'application/graphql-response+json' | 'text/event-stream'

const WHOLE = ['application/json', 'application/graphql-response+json'] as const
const STREAM = ['text/event-stream'] as const

/**
 * What a client takes: of a whole answer JSON before a stream of one event, of a subscription a stream alone. What it names
 * first comes first.
 *
 * @returns Null where it takes nothing of that.
 */
export function acceptedType(accept: string | undefined, isSubscription: boolean): AnswerType | null {
  const wanted = (accept || '*/*').replaceAll(/\s/g, '').toLowerCase().split(',').flatMap(readRange)
  const choose = (types: readonly AnswerType[]) => {
    for (const range of wanted) for (const type of types) if (isWithin(type, range)) return type
    return null
  }
  return (isSubscription ? null : choose(WHOLE)) ?? choose(STREAM)
}

/** Only UTF-8 is spoken. */
function readRange(text: string): string[] {
  const [range = '', ...parameters] = text.split(';')
  const charset = parameters.find((parameter) => parameter.includes('charset='))
  return charset === undefined || charset === 'charset=utf-8' ? [range] : []
}

function isWithin(type: AnswerType, range: string): boolean {
  if (range === type || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}
