import { z } from 'zod'

/** GraphQL's part of the configuration. */
export const graphqlConfig = z
  .strictObject({
    introspection: z
      .boolean()
      .default(true)
      .describe('Whether clients may ask for the schema; without it the explorer is off as well.'),
    tokenCheckMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(30_000)
      .describe(
        'How often the token of a subscription is checked again; the subscription ends with the token.',
      ),
    pointsPerMinuteOfNetwork: z
      .int()
      .min(1_000)
      .default(750_000)
      .describe(
        'Points of complexity that the documents of one address (IPv6 by /64) may use per minute. A ' +
          'field costs 1, one that runs an operation 1,200, and everything below a list three times as ' +
          'much. The schema costs 15,000 unless the answer is cached. Every document costs at least ' +
          '300.',
      ),
    pointsPerMinute: z
      .int()
      .min(1_000)
      .default(3_000_000)
      .describe(
        'Points that an account has in addition, for documents with its token once those of the ' +
          'address are used up.',
      ),
    documents: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A folder of .graphql files, or a JSON file `{hash: document}`, with documents that clients ' +
          'may name by hash. A change applies within seconds, without a restart.',
      ),
    onlyListed: z.boolean().default(false).describe('Whether only those documents may run.'),
  })
  .refine(({ documents, onlyListed }) => !onlyListed || documents !== undefined, {
    path: ['onlyListed'],
    error: 'needs documents: a folder or file of those that may run',
  })
  .prefault({})

export type GraphqlConfig = z.output<typeof graphqlConfig>
