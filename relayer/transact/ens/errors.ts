import { defineError } from '../../service-error.ts'

/** Neither the chain nor the name's own server says what a name stands for. */
export const nameServiceUnavailable = defineError({
  kind: 'bad-gateway',
  message: 'The name service gives no answer.',
})
