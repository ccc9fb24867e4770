import { SchemaValidationError, type Interceptor, type QueryResultRow } from 'slonik'

/** Checks every row against the schema passed to `sql.type`; slonik alone trusts that schema. */
export const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow: (context, query, row) => {
    if (!context.resultParser) return row
    const result = context.resultParser['~standard'].validate(row)
    if (result instanceof Promise) throw new TypeError('A row schema must be synchronous')
    if (result.issues) throw new SchemaValidationError(query, row, [...result.issues])
    return result.value as QueryResultRow
  },
}
