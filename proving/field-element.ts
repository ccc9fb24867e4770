/** Order r of the BN254 scalar field, the field of circuits' signals. */
export const FIELD_ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

declare const fieldElement: unique symbol

/**
 * A canonical decimal string of an integer in [0, r), the form of public signals. Only {@link parseFieldElement}
 * makes one.
 */
export type FieldElement = string & { readonly [fieldElement]: true }

const DECIMAL = /^(?:0|[1-9][0-9]{0,76})$/

/** Returns the text as a field element, or null where it is not the canonical decimal form of an integer below r. */
export function parseFieldElement(text: unknown): FieldElement | null {
  if (typeof text !== 'string' || !DECIMAL.test(text)) return null
  return BigInt(text) < FIELD_ORDER ? (text as FieldElement) : null
}
