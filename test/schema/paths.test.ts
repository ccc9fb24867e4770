import { expect, it } from 'vitest'
import { operations } from '../../schema/features.ts'
import { sampleInput } from '../harness/sample-input.ts'

const ID = '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11'
const named = operations.filter(({ input }) => input.path && 'accountId' in input.path.shape)

it.each(named.map((operation) => [operation.rest, operation] as const))(
  '%s accepts an id in any case, and its service gets one form',
  (_, operation) => {
    const { path } = sampleInput(operation, ID)
    const ids = 'quoteId' in path ? { accountId: ID, quoteId: ID } : { accountId: ID }
    const shouted = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toUpperCase()]))
    expect(operation.input.path?.parse({ ...path, ...shouted })).toMatchObject(ids)
  },
)
