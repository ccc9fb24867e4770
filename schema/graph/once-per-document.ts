import type { invoke } from '../define/invoke.ts'
import type { Operation } from '../define/operation.ts'

type Answers = Map<Operation, Map<string, Promise<unknown>>>

/**
 * Wraps `run`: queries of one document that run the same operation with the same input share its answer, which counts
 * once against limits, unless each run has an answer of its own. A mutation ends that, so that what follows it reads again.
 */
export function runOncePerDocument(run: typeof invoke): typeof invoke {
  /** By the room of a document, which contexts copied from its own still have. */
  const documents = new WeakMap<object, Answers>()

  return async (operation, input, context) => {
    const document = context.room ?? context
    if (operation.neverShared) return run(operation, input, context)
    if (operation.kind === 'mutation')
      return run(operation, input, context).finally(() => documents.delete(document))
    const answers = documents.get(document) ?? new Map<Operation, Map<string, Promise<unknown>>>()
    documents.set(document, answers)
    const ofOperation = answers.get(operation) ?? new Map<string, Promise<unknown>>()
    answers.set(operation, ofOperation)
    const key = JSON.stringify(input)
    const answer = ofOperation.get(key) ?? run(operation, input, context)
    ofOperation.set(key, answer)
    return answer
  }
}
