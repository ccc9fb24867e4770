import { SIZE, type Curve } from './curve.ts'

/** Scalars are cut into 32 windows of one byte. */
const WINDOWS = 32
const WINDOW_SIZE = 256
const WINDOW_BYTES = WINDOW_SIZE * SIZE.g1Affine

/** Multiplies a point of G1 known beforehand by any scalar with at most 32 additions and no doubling. */
export interface FixedBase {
  /** Adds scalar·point to the Jacobian point at `sum`; 0 ≤ scalar < r. */
  addMultiple(scalar: bigint, sum: number): void
}

/** Bytes of the table of one point. */
export const TABLE_BYTES = WINDOWS * WINDOW_BYTES

/** Multiplies the point that was tabulated at `table`. */
export function createFixedBase({ run, memory }: Curve, table: number): FixedBase {
  const digits = memory.allocate(SIZE.fq)

  return {
    addMultiple(scalar, sum) {
      memory.writeInteger(digits, scalar)
      for (let window = 0; window < WINDOWS; window++) {
        const digit = memory.readByte(digits + window)
        if (digit !== 0) run.g1m_addMixed(sum, table + window * WINDOW_BYTES + digit * SIZE.g1Affine, sum)
      }
    },
  }
}

/** Writes d·2^(8i)·P for every byte d and window i to `table`: 512 KiB and about 20 ms for each point. */
export function tabulate({ run, memory }: Curve, pointAffine: number, table: number): void {
  const base = memory.allocate(SIZE.g1Jacobian)
  const baseAffine = memory.allocate(SIZE.g1Affine)
  const multiples = memory.allocate(WINDOW_SIZE * SIZE.g1Jacobian)
  run.g1m_toJacobian(pointAffine, base)
  for (let window = 0; window < WINDOWS; window++) {
    run.g1m_toAffine(base, baseAffine)
    run.g1m_zero(multiples)
    for (let digit = 1; digit < WINDOW_SIZE; digit++) {
      const previous = multiples + (digit - 1) * SIZE.g1Jacobian
      run.g1m_addMixed(previous, baseAffine, previous + SIZE.g1Jacobian)
    }
    run.g1m_batchToAffine(multiples, WINDOW_SIZE, table + window * WINDOW_BYTES)
    for (let bit = 0; bit < 8; bit++) run.g1m_double(base, base)
  }
}
