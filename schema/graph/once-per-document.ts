import { createContextCache } from '@pothos/core'
import type { invoke } from '../define/invoke.ts'
import type { Operation } from '../define/operation.ts'

type Answers = Map<Operation, Map<string, Promise<unknown>>>

/**
 * Wraps `run`: queries of one document that run the same operation with the same input share its answer, which counts
 * once against limits, unless each run has an answer of its own. A mutation ends that (`forgetReads`), so that what follows
 * it reads again.
 */
export function runOncePerDocument(run: typeof invoke): typeof invoke {
  const answersOf = createContextCache((): Answers => new Map())

  return async (operation, input, context) => {
    if (operation.neverShared || operation.kind === 'mutation') return run(operation, input, context)
    const answers = answersOf(context)
    const ofOperation = answers.get(operation) ?? new Map<string, Promise<unknown>>()
    answers.set(operation, ofOperation)
    const key = JSON.stringify(input)
    const answer = ofOperation.get(key) ?? run(operation, input, context)
    ofOperation.set(key, answer)
    return answer
  }
}
