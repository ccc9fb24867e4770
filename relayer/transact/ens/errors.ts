import { defineError } from '../../service-error.ts'

/** Neither the chain nor the name's own server returns the address of a name. */
export const nameServiceUnavailable = defineError({
  code: 'NAME_SERVICE_UNAVAILABLE',
  kind: 'bad-gateway',
  meaning: 'Neither the chain of the name service nor the server of the name answers.',
  retry: 'In some seconds, or with an address.',
  fundsState: 'Nothing was sent and nothing was locked.',
  message: 'The name service gives no answer.',
})
