import type { Hex } from './provider.ts'

/**
 * Finds revert data in the `data` of a JSON-RPC error, which nodes nest differently; null where there is none.
 */
export function findRevertData(data: unknown, depth = 0): Hex | null {
  if (typeof data === 'string') {
    const found = /^(?:Reverted )?(0x(?:[0-9a-f]{2})*)$/i.exec(data)?.[1]
    return found === undefined ? null : (found as Hex)
  }
  if (typeof data !== 'object' || data === null || depth > 4) return null
  for (const key of ['data', 'output', 'result', 'originalError', 'error', 'cause']) {
    const found = findRevertData((data as Record<string, unknown>)[key], depth + 1)
    if (found !== null) return found
  }
  return null
}
