import type { z } from 'zod'
import { defineOperation, type InputShapes, type Operation, type OperationDefinition } from './operation.ts'

/** What is left to say of a query that everybody may make. */
type PublicDefinition<Shapes extends InputShapes, Output extends z.ZodType> = Omit<
  OperationDefinition<Shapes, Output>,
  'kind' | 'status' | 'access' | 'errors'
> & {
  /** None besides those of limits and validation unless it says so. */
  errors?: Operation['errors']
}

/** A query that needs no token, and ignores one that comes along. */
export function publicQuery<Shapes extends InputShapes, Output extends z.ZodType>(
  definition: PublicDefinition<Shapes, Output>,
): Operation {
  return defineOperation({ errors: [], ...definition, kind: 'query', status: 200, access: 'public' })
}
