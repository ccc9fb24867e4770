import { z } from 'zod'
import { normalize } from 'viem/ens'
import { privateKey } from '../../chain/nodes/config-values.ts'

/** Names that would pass for the service itself, or that protocols give a meaning. */
const RESERVED = `
  about abuse account accounts admin administrator api app auth billing blog contact dev docs email
  ens eth faq ftp gateway help helpdesk hostmaster info legal localhost login mail mod moderator
  news noreply official operator owner pay payment payments pool postmaster privacy recovery refund
  relay relayer resolver root security service staff status stealth support system team test
  treasury verified verify wallet webmaster www
`

const isNormal = (name: string) => {
  try {
    return name.includes('.') && normalize(name) === name
  } catch {
    return false
  }
}

/** Settings of the accounts' names. */
export const namesConfig = z
  .strictObject({
    parent: z
      .string()
      .max(200)
      .refine(isNormal, 'is not a normalised name of two labels or more, like pay.eth')
      .optional()
      .describe(
        "The parent name of the accounts' names; its resolver must point at this service's /ccip. " +
          'Goes with `signerKey`.',
      ),
    signerKey: privateKey
      .optional()
      .describe("Signs the name gateway's answers: the resolver contract must know its address."),
    ttlSeconds: z.int().min(10).max(3_600).default(60).describe('Lifetime of a signed answer, in seconds.'),
    freshPerHour: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(500)
      .describe(
        'Fresh addresses per hour for lookups of one name, within `addresses.freshPerWindow`. Beyond ' +
          'it new askers are refused.',
      ),
    freshPerNetwork: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(10)
      .describe(
        'The part of them for one network (IPv6 by /64) or one sending account; beyond it the asker ' +
          'gets its last address again.',
      ),
    reserved: z
      .array(z.string().min(1).max(32))
      .max(10_000)
      .default(RESERVED.trim().split(/\s+/))
      .describe('Names that cannot be claimed.'),
  })
  .refine(
    ({ parent, signerKey }) => (parent === undefined) === (signerKey === undefined),
    'parent and signerKey go together: give both or neither',
  )

/** The settings of names after parsing. Without `parent` there are no names. */
export type NamesConfig = z.output<typeof namesConfig>
