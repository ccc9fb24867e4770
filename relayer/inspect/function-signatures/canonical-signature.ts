import { sliceHex, toFunctionHash, type Hex } from 'viem'

const MAX_LENGTH = 1_024
const MAX_DEPTH = 8

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*(?=\()/
const ELEMENTARY =
  /(?:address|bool|string|function|bytes(?:3[0-2]|[12][0-9]|[1-9])?|u?int(?:8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256))(?![A-Za-z0-9_$])/y
const ARRAYS = /(?:\[(?:[1-9][0-9]{0,8})?\])*/y

/**
 * True if a text is a signature in the form that its selector is computed from. That is a name and the parameter
 * types, without spaces, parameter names or aliases (Solidity ABI specification, "Function Selector"). At most 1,024
 * characters and eight nested tuples.
 */
export function isCanonicalSignature(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const name = NAME.exec(text)?.[0]
  return name !== undefined && skipTypes(text, name.length, 0) === text.length
}

/** Returns the first four bytes of a call or error with a canonical signature. */
export const selectorOf = (signature: string): Hex => sliceHex(toFunctionHash(signature), 0, 4)

/** Returns the position after the types in parentheses that begin at `start`; null if there are none. */
function skipTypes(text: string, start: number, depth: number): number | null {
  if (depth > MAX_DEPTH) return null
  if (depth === 0 && text[start + 1] === ')') return start + 2
  for (let at: number | null = start; at !== null;) {
    at = skipType(text, at + 1, depth)
    if (at === null || text[at] === ')') return at === null ? null : at + 1
    if (text[at] !== ',') return null
  }
  return null
}

function skipType(text: string, start: number, depth: number): number | null {
  const end = text[start] === '(' ? skipTypes(text, start, depth + 1) : skip(ELEMENTARY, text, start)
  return end === null ? null : skip(ARRAYS, text, end)
}

function skip(form: RegExp, text: string, start: number): number | null {
  form.lastIndex = start
  return form.test(text) ? form.lastIndex : null
}
