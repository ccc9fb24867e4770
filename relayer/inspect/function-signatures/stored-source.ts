import { SIGNATURE_SOURCES, type SignatureSource } from './function-signatures.ts'

/** Returns the number of a source in the table. */
export const storedSource = (source: SignatureSource): number => SIGNATURE_SOURCES.indexOf(source)

/** Returns the source of a number in the table; an unknown number counts as `reported`. */
export const nameOfStored = (number: number): SignatureSource => SIGNATURE_SOURCES[number] ?? 'reported'
