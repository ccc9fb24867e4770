import type { AppRequest } from 'stealth-relay/client/provider'

type TypedData = Extract<AppRequest, { kind: 'typed-data' }>['typedData']
type Types = Readonly<Record<string, readonly { name: string; type: string }[]>>

/** A field that is part of the signature. */
export interface SignedField {
  /** Its names from the outside in, as `order.items[0].price`. */
  path: string
  value: string
}

/** The members of a domain in the order of EIP-712. */
const DOMAIN = ['name', 'version', 'chainId', 'verifyingContract', 'salt']

/** All that a signature of typed data is about: the domain, then the message. Members without a type are not signed. */
export function listSignedFields({ domain, types, primaryType, message }: TypedData): {
  domain: readonly SignedField[]
  message: readonly SignedField[]
} {
  const known = types as Types
  const given = (domain ?? {}) as Readonly<Record<string, unknown>>
  const ofDomain =
    known['EIP712Domain'] ??
    DOMAIN.filter((name) => given[name] !== undefined).map((name) => ({ name, type: 'string' }))
  const withDomain = { ...known, EIP712Domain: ofDomain }
  return {
    domain: [...walk(withDomain, 'EIP712Domain', given, '')],
    message: primaryType === 'EIP712Domain' ? [] : [...walk(withDomain, primaryType, message, '')],
  }
}

function* walk(types: Types, type: string, value: unknown, path: string): Generator<SignedField> {
  const [, item] = /^(.*)\[\d*\]$/.exec(type) ?? []
  const members = types[type]
  if (item !== undefined && Array.isArray(value)) {
    if (value.length === 0) yield { path, value: '[]' }
    for (const [place, one] of value.entries()) yield* walk(types, item, one, `${path}[${place}]`)
  } else if (members && typeof value === 'object' && value !== null) {
    for (const { name, type: inner } of members)
      yield* walk(
        types,
        inner,
        (value as Record<string, unknown>)[name],
        path === '' ? name : `${path}.${name}`,
      )
  } else yield { path, value: String(value) }
}
