import { defineError } from '../../service-error.ts'

/** API keys and extensions may not create an account. */
export const creationNeedsSignIn = defineError({
  kind: 'forbidden',
  message: 'Only the token of a sign-in can create an account',
})

/** The operator requires invite codes, and the request's code is missing or invalid. */
export const inviteCodeRefused = defineError({
  kind: 'forbidden',
  example: 'This invite code is unknown, expired or used up',
})

/** The address that signed in has an account with other key material. */
export const accountExists = defineError({
  kind: 'conflict',
  message: 'The account exists already, with other key material',
})
