import { defineError } from '../../service-error.ts'

/** No active descriptor is bound to the contract, or the bound one does not format that call or type. */
export const descriptorNotFound = defineError({
  kind: 'not-found',
  message: 'There is no descriptor for that contract and call',
})

/** No node can read the contract at the address now. */
export const bindingUnavailable = defineError({
  code: 'BINDING_UNAVAILABLE',
  kind: 'bad-gateway',
  meaning: 'No node of the chain says what is at the address, which a proxy or a standard depends on.',
  retry: 'At any time.',
  message: 'The contract at that address cannot be read now',
})
