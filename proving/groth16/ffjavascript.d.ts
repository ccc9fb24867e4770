/** The part of ffjavascript that is used here; it ships no types. */
declare module 'ffjavascript' {
  /** Points are affine, in the library's own encoding. */
  interface Group {
    /** Encodes affine or projective coordinates; those of Fq2 are pairs. */
    fromObject(coordinates: readonly (bigint | readonly bigint[])[]): Uint8Array
    /** True for points of the curve, and for infinity. */
    isValid(point: Uint8Array): boolean
    isZero(point: Uint8Array): boolean
    timesScalar(point: Uint8Array, scalar: bigint): Uint8Array
  }
  interface Field {
    mul(left: Uint8Array, right: Uint8Array): Uint8Array
    square(value: Uint8Array): Uint8Array
  }
  export interface Bn128 {
    G1: Group
    G2: Group
    F1: Field
    F2: Field
    /** Ends the worker threads. */
    terminate(): Promise<void>
  }
  /** Compiles the curve; unless `singleThread`, also starts worker threads, which end with `terminate`. */
  export function buildBn128(singleThread?: boolean): Promise<Bn128>
}
