import { z } from 'zod'

/** The body of every failure (api.md 2.1). Further members are named where an operation adds them. */
export const errorBody = z
  .looseObject({
    error: z.string().meta({ description: 'Class of the error.', examples: ['Bad request'] }),
    message: z.string().meta({ description: 'What went wrong, for a person.' }),
    code: z.string().optional().meta({ description: 'What went wrong, for a program.' }),
    minAmount: z.string().optional().meta({ description: 'Smallest amount that would do, for a person.' }),
    tokenSymbol: z.string().optional(),
    tokenAddress: z.string().optional(),
    tokenDecimals: z.int().optional(),
    maxRelayFeeBPS: z.number().optional().meta({ description: 'Largest fee that the pool allows.' }),
    requiredRelayFeeBPS: z.string().optional().meta({ description: 'Fee that the amount would need.' }),
  })
  .meta({ id: 'ErrorBody' })

export const oauthErrorBody = z
  .object({ error: z.string(), error_description: z.string().optional() })
  .meta({ id: 'OAuthErrorBody' })

/** The error classes that the API answers with, by status. */
export const ERROR_CLASSES = {
  400: {
    error: 'Bad request',
    meaning: 'The request is malformed or asks for what cannot be; mend it before trying again.',
  },
  401: { error: 'Unauthorized', meaning: 'A valid bearer token is required.' },
  403: { error: 'Forbidden', meaning: 'The token does not give access to this.' },
  404: { error: 'Not found', meaning: 'There is no such thing.' },
  405: {
    error: 'Method not allowed',
    meaning: 'The path exists, with the methods that the Allow header names.',
  },
  409: { error: 'Conflict', meaning: 'The request conflicts with the present state.' },
  413: { error: 'Payload too large', meaning: 'The body exceeds the limit; the connection stays usable.' },
  422: { error: 'Unprocessable Entity', meaning: 'The request is well formed and cannot be followed.' },
  429: {
    error: 'Too Many Requests',
    meaning: 'The rate limit is exceeded; Retry-After says for how many seconds.',
  },
  451: { error: 'Unavailable', meaning: 'Not available for legal reasons.' },
  500: {
    error: 'Internal Server Error',
    meaning: 'A fault of the service; the message names the request for its operator.',
  },
  502: { error: 'Bad Gateway', meaning: 'A party behind the service failed.' },
  503: {
    error: 'Service Unavailable',
    meaning: 'The service is busy or catching up; try again after Retry-After seconds.',
  },
} as const satisfies Record<number, { error: string; meaning: string }>

export type ErrorStatus = keyof typeof ERROR_CLASSES
