import type { Quote } from '../../relayer/transact/transact.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { quote } from './quote-model.ts'

/** The signed document, unchanged: with one member more or less, its signature would be invalid. */
export function showQuote({ terms, signature }: Quote): AnswerOf<typeof quote> {
  return { ...(terms as Omit<AnswerOf<typeof quote>, 'signature'>), signature }
}
