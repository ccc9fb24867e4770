import { SIGNATURE_SOURCES, type SignatureSource } from './function-signatures.ts'

/** The number of a source in the table. */
export const storedSource = (source: SignatureSource): number => SIGNATURE_SOURCES.indexOf(source)

/** The source of a number in the table; what the table does not explain is merely reported. */
export const nameOfStored = (number: number): SignatureSource => SIGNATURE_SOURCES[number] ?? 'reported'
