import { defineError } from '../../relayer/service-error.ts'

/** The document's size, depth or number of fields exceeds a limit. */
export const queryTooLarge = defineError({
  code: 'QUERY_TOO_LARGE',
  kind: 'bad-request',
  meaning: 'The GraphQL document asks for too much at once.',
  retry: 'In parts, or with a smaller `first`.',
  example: 'The query has a complexity of 60000, and 45000 is the limit',
})

/** The GraphQL library cannot parse the document. */
const graphqlParseFailed = defineError({
  code: 'GRAPHQL_PARSE_FAILED',
  kind: 'bad-request',
  meaning: 'The GraphQL document cannot be read.',
  retry: 'With a corrected document.',
  example: 'Syntax Error: Unexpected <EOF>.',
})

/** The GraphQL library finds that the document does not fit the schema. */
const graphqlValidationFailed = defineError({
  code: 'GRAPHQL_VALIDATION_FAILED',
  kind: 'bad-request',
  meaning: 'The GraphQL document asks for what the schema does not have.',
  retry: 'With a corrected document.',
  example: 'Cannot query field "nothing" on type "Query".',
})

/** The service has no document with that hash. Clients recognise this message and then send the document. */
export const persistedQueryNotFound = defineError({
  code: 'PERSISTED_QUERY_NOT_FOUND',
  kind: 'bad-request',
  meaning:
    'GraphQL: no document with that hash is stored (the message is `PersistedQueryNotFound`, the HTTP status 200).',
  retry: 'With the document.',
  message: 'PersistedQueryNotFound',
})

/** The document that was sent has another hash. */
export const persistedQueryMismatch = defineError({
  code: 'PERSISTED_QUERY_MISMATCH',
  kind: 'bad-request',
  meaning: 'GraphQL: the document has another hash.',
  retry: 'With the document of that hash, or the hash of that document.',
  message: 'The query does not have that sha256Hash',
})

/** The operator allows only the documents of the configured list. */
export const persistedQueryOnly = defineError({
  code: 'PERSISTED_QUERY_ONLY',
  kind: 'bad-request',
  meaning: 'GraphQL: this service runs documents of its own list only.',
  retry: 'No.',
  message: 'This service runs listed documents only',
})

/** Errors that GraphQL answers in addition to those of operations. */
export const graphErrors = [
  graphqlParseFailed,
  graphqlValidationFailed,
  queryTooLarge,
  persistedQueryNotFound,
  persistedQueryMismatch,
  persistedQueryOnly,
]
