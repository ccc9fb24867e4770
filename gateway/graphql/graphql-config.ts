import { z } from 'zod'

/** The GraphQL door's slice of the configuration. */
export const graphqlConfig = z
  .strictObject({
    /** Whether clients may ask for the schema; without it there is no explorer either. */
    introspection: z.boolean().default(true),
    /** How often the token of a subscription is looked at again; it ends with the token. */
    tokenCheckMs: z.int().min(100).max(600_000).default(30_000),
    /**
     * Points of complexity that the documents of one address (IPv6 by /64) may spend in a minute: a field costs 1, one
     * that runs an operation 1,200, what is below a list three times as much, the schema 15,000 where the answer is not
     * kept, and any document 300.
     */
    pointsPerMinuteOfNetwork: z.int().min(1_000).default(750_000),
    /** What an account has besides, for documents with a token of its own once those of its address are spent. */
    pointsPerMinute: z.int().min(1_000).default(3_000_000),
    /** A folder of .graphql files, or a JSON file `{hash: document}`: documents that clients may name by hash. */
    documents: z.string().min(1).optional(),
    /** Run those documents and no others. */
    onlyListed: z.boolean().default(false),
  })
  .refine(({ documents, onlyListed }) => !onlyListed || documents !== undefined, {
    path: ['onlyListed'],
    error: 'needs documents: a folder or file of those that may run',
  })
  .prefault({})

export type GraphqlConfig = z.output<typeof graphqlConfig>
