import type { z } from 'zod'
import { accountPath } from './account-path.ts'
import { defineOperation, type InputShapes, type Operation, type OperationDefinition } from './operation.ts'

/** The input of an operation of an account: its path has the accountId, and nothing else unless it says so. */
type AccountInput<Shapes extends InputShapes> = {
  [Place in keyof Shapes | 'path']: Place extends keyof Shapes ? Shapes[Place] : typeof accountPath
} extends infer Input extends InputShapes
  ? Input
  : never

/** What is left to say of an operation of an account: its path begins with `/v1/accounts/{accountId}`. */
type AccountDefinition<Shapes extends InputShapes, Output extends z.ZodType> = Omit<
  OperationDefinition<AccountInput<Shapes>, Output>,
  'kind' | 'status' | 'access' | 'errors' | 'input'
> & {
  /** 200 unless it says so. */
  status?: number
  /** None besides those of access, limits and validation unless it says so. */
  errors?: Operation['errors']
  /** The path may be left out where it has the accountId only. */
  input?: Shapes
}

function defineAccountOperation<Shapes extends InputShapes, Output extends z.ZodType>(
  kind: Operation['kind'],
  definition: AccountDefinition<Shapes, Output>,
): Operation {
  const input = { path: accountPath, ...definition.input } as unknown as AccountInput<Shapes>
  return defineOperation({ status: 200, errors: [], ...definition, kind, access: 'bearer', input })
}

/** A query of an account, for which a token of it with the scope `read` is needed. */
export function accountQuery<
  Output extends z.ZodType,
  Shapes extends InputShapes = { path: typeof accountPath },
>(definition: AccountDefinition<Shapes, Output>): Operation {
  return defineAccountOperation('query', definition)
}

/** A mutation of an account, for which a token of it with the scope `write` is needed. */
export function accountMutation<
  Output extends z.ZodType,
  Shapes extends InputShapes = { path: typeof accountPath },
>(definition: AccountDefinition<Shapes, Output>): Operation {
  return defineAccountOperation('mutation', definition)
}
