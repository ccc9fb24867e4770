import { z } from 'zod'
import { defineError } from '../../service-error.ts'

/** Screening refuses an address. */
export const addressNotServed = defineError({
  code: 'ADDRESS_NOT_SERVED',
  kind: 'legal',
  meaning: 'Not served for legal reasons; `recoveryUrl` says where funds can be had back.',
  retry: 'No.',
  fundsState: 'Nothing was sent and nothing was locked.',
  message: 'This address cannot be served for legal reasons.',
  members: z.object({
    recoveryUrl: z
      .string()
      .optional()
      .meta({
        description: 'Page where funds can be recovered.',
        examples: ['https://app.example/recover'],
      }),
  }),
})

/** No node answers whether an address has code. */
export const addressKindUnknown = defineError({
  code: 'ADDRESS_KIND_UNKNOWN',
  kind: 'bad-gateway',
  meaning: 'No node of the chain says whether there is code at the address.',
  retry: 'In some seconds.',
  fundsState: 'Nothing was sent and nothing was locked.',
  message: 'The chain gives no answer about this address.',
})
