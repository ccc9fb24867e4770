import { keccak256, toHex, type Hex } from 'viem'
import { canonicalFunction } from './canonical-function.ts'

/** A format of a descriptor: a function, or a type of EIP-712. */
export interface Format {
  /** Exactly as in the descriptor. */
  key: string
  /** `transfer(address,uint256)`, or the encodeType of EIP-712. */
  signature: string
  /** keccak256 of the signature: its first 4 bytes are the selector, or it is the type's hash. */
  hash: Hex
}

const MOST_LENGTH = 8_192

const STRUCT = /([A-Za-z_$][\w$:]*)\(([^()]*)\)/gy
const MEMBER = /^([A-Za-z_$][\w$:]*(?:\[\d{0,9}\])*) ([A-Za-z_$][\w$]*)$/

/**
 * Parses the key of a format. Spaces are ignored: registries write them though the standard has none.
 *
 * @throws Error if it is neither a function nor a type.
 */
export function parseFormatKey(kind: 'calldata' | 'eip712', key: string): Format {
  if (key.length > MOST_LENGTH) throw new Error(`a format is longer than ${MOST_LENGTH} characters`)
  const signature = kind === 'calldata' ? canonicalFunction(key) : parseType(key)
  return { key, signature, hash: keccak256(toHex(signature)) }
}

/** Parses a type: the primary one first, then the types that it uses, by name, as EIP-712 orders them. */
function parseType(key: string): string {
  const text = key.trim()
  const structs: { name: string; text: string }[] = []
  let at = 0
  for (const match of text.matchAll(STRUCT)) {
    const [whole, name = '', members = ''] = match
    at = match.index + whole.length
    if (structs.some((struct) => struct.name === name)) throw new Error(`the type ${name} comes twice`)
    structs.push({ name, text: `${name}(${parseMembers(members)})` })
  }
  const [primary, ...others] = structs
  if (!primary || at !== text.length) throw new Error('a format is no type of EIP-712')
  return [primary, ...others.toSorted((one, other) => (one.name < other.name ? -1 : 1))]
    .map((struct) => struct.text)
    .join('')
}

function parseMembers(text: string): string {
  if (text.trim() === '') return ''
  return text
    .split(',')
    .map((member) => {
      const [, type, name] = MEMBER.exec(member.trim().replaceAll(/\s+/g, ' ')) ?? []
      if (type === undefined || name === undefined) throw new Error('a member of a type is none')
      return `${type} ${name}`
    })
    .join(',')
}
