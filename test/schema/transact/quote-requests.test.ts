import { describe, expect, test } from 'vitest'
import { badRequest } from '../../../relayer/errors.ts'
import { operations } from '../../../schema/features.ts'
import { buildOpenApi } from '../../../schema/openapi/build-openapi.ts'
import { checkMembers, REQUEST_TYPES } from '../../../schema/transact/kinds/quote-shapes.ts'
import { quoteBody } from '../../../schema/transact/model.ts'

interface Component {
  properties: Record<string, object>
  required: string[]
}

const { schemas } = buildOpenApi(operations)['components'] as {
  schemas: Record<string, Component> & {
    QuoteRequest: { oneOf: object[]; discriminator: { mapping: Record<string, string> } }
  }
}
const componentOf = (type: string) =>
  schemas[schemas.QuoteRequest.discriminator.mapping[type]!.split('/').at(-1)!]!
const members = Object.keys(quoteBody.shape)

/** The message with which a request of those members is refused; null where it is not. */
function refusalOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    expect(badRequest.matches(error)).toBe(true)
    return (error as Error).message
  }
}
const requestOf = (type: (typeof REQUEST_TYPES)[number], names: readonly string[]) => ({
  type,
  ...Object.fromEntries(names.map((name) => [name, 'any value'])),
})

test('OpenAPI has one schema for each type, found by the type', () => {
  const { oneOf, discriminator } = schemas.QuoteRequest
  expect(Object.keys(discriminator.mapping)).toEqual([...REQUEST_TYPES])
  expect(oneOf).toEqual(Object.values(discriminator.mapping).map((reference) => ({ $ref: reference })))
})

describe.each(REQUEST_TYPES)('a request of type %s', (type) => {
  const { properties, required } = componentOf(type)
  const needed = required.filter((name) => name !== 'type')
  const foreign = members.filter((name) => !(name in properties))

  test('is accepted with all the members that OpenAPI documents, and with those alone that are required', () => {
    for (const names of [Object.keys(properties).filter((name) => name !== 'type'), needed])
      expect(refusalOf(() => checkMembers('request', type, requestOf(type, names)))).toBeNull()
  })

  test('is refused by name without a member that is required', () => {
    for (const name of needed.filter((one) => one !== 'chainId')) {
      const others = needed.filter((one) => one !== name)
      expect(refusalOf(() => checkMembers('request', type, requestOf(type, others)))).toBe(
        `body.${name}: is required for type ${type}`,
      )
    }
  })

  test('is refused by name with a member that only other types have, unless it is null', () => {
    expect(foreign.length).toBeGreaterThan(0)
    for (const name of foreign) {
      const request = requestOf(type, [...needed, name])
      const owners = REQUEST_TYPES.filter((other) => name in componentOf(other).properties)
      expect(refusalOf(() => checkMembers('request', type, request))).toBe(
        `body.${name}: belongs to type ${owners.join(', ')}, not to ${type}`,
      )
      expect(refusalOf(() => checkMembers('request', type, { ...request, [name]: null }))).toBeNull()
    }
  })
})

test('a request for the largest amount takes the members of the type alone', () => {
  const terms = { chainId: 1, token: 'any value', slippageBps: 50 }
  const ofSwap = { ...terms, tokenOut: 'any value' }
  expect(refusalOf(() => checkMembers('maxRequest', 'swap', ofSwap))).toBeNull()
  expect(refusalOf(() => checkMembers('maxRequest', 'swap', terms))).toBe(
    'body.tokenOut: is required for type swap',
  )
  expect(refusalOf(() => checkMembers('maxRequest', 'send', terms))).toBe(
    'body.slippageBps: belongs to type swap, not to send',
  )
})
