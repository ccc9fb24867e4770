import { z } from 'zod'
import type { DefinedError } from '../../relayer/service-error.ts'

const text = (description: string) => z.string().meta({ description })
const smallestUnit = (what: string) => text(`${what}, in the smallest unit.`)

/** Members that the contract names for kinds of quotes that the service does not offer yet. */
const contractMembers = {
  selectedAmount: smallestUnit('Total of the pool balances considered'),
  selectedCount: z.number().meta({ description: 'How many pool balances that is.' }),
  relayFee: smallestUnit('Estimated relay fee for them'),
  feeLimit: smallestUnit('The largest relay fee for the amount asked for'),
  requestedSlippageBps: z.number().meta({ description: 'The requested slippage.' }),
  recommendedSlippageBps: z.number().meta({ description: 'The slippage that would suffice.' }),
}

/** The body of every failure. The members of errors follow the code, each described with the codes that have it. */
export function createErrorBody(errors: readonly DefinedError[]): z.ZodType {
  return z
    .looseObject({
      error: z.string().meta({ description: 'Class of the error.', examples: ['Bad request'] }),
      message: z.string().meta({ description: 'The error, for a person.' }),
      code: text('The error, for a program.').optional(),
      ...z.object({ ...membersOf(errors), ...contractMembers }).partial().shape,
    })
    .meta({
      id: 'ErrorBody',
      description: 'The body of every failure; details follow the code if there are any.',
    })
}

/**
 * Each member once. If codes give it different meanings, such as another unit, the description lists each meaning with its
 * codes.
 */
function membersOf(errors: readonly DefinedError[]): Record<string, z.ZodType> {
  const members = new Map<string, { shape: z.ZodType; codesByMeaning: Map<string, string[]> }>()
  for (const { terms, members: own } of errors) {
    // Refusals for legal reasons have their own body.
    if (terms.kind === 'legal') continue
    for (const [name, shape] of Object.entries(own?.shape ?? {})) {
      const member = members.get(name) ?? { shape, codesByMeaning: new Map<string, string[]>() }
      members.set(name, member)
      const meaning = wordsOf(shape).description ?? ''
      const codes = member.codesByMeaning.get(meaning) ?? []
      member.codesByMeaning.set(meaning, terms.code === undefined ? codes : [...codes, terms.code])
    }
  }
  return Object.fromEntries(
    [...members].map(([name, { shape, codesByMeaning }]) => {
      const meanings = [...codesByMeaning].map(([meaning, codes]) => `${meaning} With ${codes.join(', ')}.`)
      return [name, shape.meta({ description: meanings.join(' ') })]
    }),
  )
}

/** The description of a member, also if it is below `optional`. */
function wordsOf(member: z.ZodType): { description?: string | undefined } {
  return member.meta() ?? (member instanceof z.ZodOptional ? wordsOf(member.unwrap() as z.ZodType) : {})
}

export const legalErrorBody = z
  .object({
    error: z.string().meta({ description: 'Class of the error.', examples: ['Unavailable'] }),
    message: z.string().meta({ description: 'The error, for a person.' }),
    code: z.string().meta({ description: 'The error, for a program.' }),
    recoveryUrl: z.string().optional().meta({ description: 'Page where funds can be recovered.' }),
  })
  .meta({ id: 'LegalErrorBody', description: 'The body of a refusal for legal reasons.' })

export const oauthErrorBody = z
  .object({
    error: z.string().meta({ description: 'A code of RFC 6749 or RFC 6750.', examples: ['invalid_grant'] }),
    error_description: text('The error, for a person.').optional(),
  })
  .meta({ id: 'OAuthErrorBody', description: 'The body of OAuth failures (RFC 6749).' })
