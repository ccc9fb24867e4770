import type { z } from 'zod'
import { defineOperation, type InputShapes, type Operation, type OperationDefinition } from './operation.ts'

/** The remaining members of the definition of a public query. */
type PublicDefinition<Shapes extends InputShapes, Output extends z.ZodType> = Omit<
  OperationDefinition<Shapes, Output>,
  'kind' | 'status' | 'access' | 'errors'
> & {
  /** Default: only the errors of limits and validation. */
  errors?: Operation['errors']
}

/** A query that needs no token and ignores one that is sent. */
export function publicQuery<Shapes extends InputShapes, Output extends z.ZodType>(
  definition: PublicDefinition<Shapes, Output>,
): Operation {
  return defineOperation({ errors: [], ...definition, kind: 'query', status: 200, access: 'public' })
}
