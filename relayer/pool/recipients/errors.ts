import { defineError } from '../../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

/** The recipient has no key. */
export const burnAddressRecipient = defineError({
  code: 'BURN_ADDRESS_RECIPIENT',
  kind: 'bad-request',
  meaning: 'Funds sent to this address are lost.',
  retry: 'To another recipient.',
  fundsState: UNTOUCHED,
  message: 'Funds sent to this address are lost',
})

/** The recipient is a token's contract, which would keep the money. */
export const tokenContractRecipient = defineError({
  code: 'TOKEN_CONTRACT_RECIPIENT',
  kind: 'bad-request',
  meaning: 'The recipient is the contract of a token: funds sent there are lost.',
  retry: 'To another recipient.',
  fundsState: UNTOUCHED,
  message: 'This is the contract of a token: funds sent there are lost',
})

/** The recipient is a pool, the Entrypoint, or another contract that the service works with. */
export const serviceContractRecipient = defineError({
  code: 'SERVICE_CONTRACT_RECIPIENT',
  kind: 'bad-request',
  meaning:
    'The recipient is a privacy pool, or a contract through which the service sends, relays, swaps or bridges: funds sent there are lost.',
  retry: 'To another recipient.',
  fundsState: UNTOUCHED,
  message: 'This is a contract that the service works with: funds sent there are lost',
})

/** Every error of a recipient that would keep the money for good. */
export const lostRecipientErrors = [
  burnAddressRecipient,
  tokenContractRecipient,
  serviceContractRecipient,
] as const
