import { z } from 'zod'
import { defineOperation, type InputShapes, type Operation, type OperationDefinition } from './operation.ts'
import { described, parameters } from './shape.ts'

/** The input of an operation of an account: its path has only the accountId, unless the definition says otherwise. */
type AccountInput<Shapes extends InputShapes> = {
  [Place in keyof Shapes | 'path']: Place extends keyof Shapes ? Shapes[Place] : typeof accountPath
} extends infer Input extends InputShapes
  ? Input
  : never

/** The remaining members of a definition; the path begins with `/v1/accounts/{accountId}`. */
type AccountDefinition<Shapes extends InputShapes, Output extends z.ZodType> = Omit<
  OperationDefinition<AccountInput<Shapes>, Output>,
  'kind' | 'status' | 'access' | 'errors' | 'input'
> & {
  /** Default: 200. */
  status?: number
  /** Default: only the errors of access, limits and validation. */
  errors?: Operation['errors']
  /** The path may be omitted if it has only the accountId. */
  input?: Shapes
}

function defineAccountOperation<Shapes extends InputShapes, Output extends z.ZodType>(
  kind: Operation['kind'],
  definition: AccountDefinition<Shapes, Output>,
): Operation {
  const input = { path: accountPath, ...definition.input } as unknown as AccountInput<Shapes>
  return defineOperation({ status: 200, errors: [], ...definition, kind, access: 'bearer', input })
}

/** A query of an account. It needs a token of the account with the scope `read`. */
export function accountQuery<
  Output extends z.ZodType,
  Shapes extends InputShapes = { path: typeof accountPath },
>(definition: AccountDefinition<Shapes, Output>): Operation {
  return defineAccountOperation('query', definition)
}

/** A mutation of an account. It needs a token of the account with the scope `write`. */
export function accountMutation<
  Output extends z.ZodType,
  Shapes extends InputShapes = { path: typeof accountPath },
>(definition: AccountDefinition<Shapes, Output>): Operation {
  return defineAccountOperation('mutation', definition)
}

/** The path of everything below an account. The id is lower-cased, because keys are sealed for it as text. */
export const accountPath = parameters({
  accountId: described(z.uuid().toLowerCase(), 'Id of the account: that of the token, any other is refused.'),
})
