import { formatAbiItem, type AbiFunction, type AbiParameter } from 'abitype'
import { toFunctionHash, toFunctionSelector, toFunctionSignature, type Hash, type Hex } from 'viem'

const MAX_DECLARATION = 4_096
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,63}$/

/** A function as an ABI declares it. */
export interface DeclaredFunction {
  functionDeclaration: string
  functionHash: Hash
}

/**
 * Finds the one function of an ABI with this selector; null if there is none, or several. Names that are no
 * identifiers are dropped, because they are shown to people.
 */
export function findFunction(abi: readonly unknown[], selector: Hex): DeclaredFunction | null {
  const found = abi.flatMap((item) => {
    const declared = declare(item)
    return declared && declared.functionHash.startsWith(selector) ? [declared] : []
  })
  const [first, second] = found
  return first && !second ? first : null
}

function declare(item: unknown): DeclaredFunction | null {
  if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'function') return null
  try {
    const { name, inputs, outputs, stateMutability } = item as Partial<AbiFunction>
    if (name === undefined || !IDENTIFIER.test(name)) return null
    const told: AbiFunction = {
      type: 'function',
      name,
      stateMutability: stateMutability ?? 'nonpayable',
      inputs: (inputs ?? []).map(withoutOddNames),
      outputs: (outputs ?? []).map(withoutOddNames),
    }
    const signature = toFunctionSignature(told)
    const functionHash = toFunctionHash(signature)
    if (!functionHash.startsWith(toFunctionSelector(signature))) return null
    const functionDeclaration = formatAbiItem(told)
    return functionDeclaration.length > MAX_DECLARATION ? null : { functionDeclaration, functionHash }
  } catch {
    return null
  }
}

function withoutOddNames({ name, ...parameter }: AbiParameter): AbiParameter {
  const components =
    'components' in parameter && Array.isArray(parameter.components)
      ? { components: (parameter.components as readonly AbiParameter[]).map(withoutOddNames) }
      : {}
  const { type } = parameter
  return { type, ...(name !== undefined && IDENTIFIER.test(name) && { name }), ...components }
}
