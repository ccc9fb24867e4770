import { CURVE_PARAMETER, SIZE, type Curve } from './curve.ts'

/** A point of G1 (affine, not infinity) with a prepared point of G2, as addresses. */
export interface PairingInput {
  g1: number
  preparedG2: number
}

/** The bits of 6x + 2 below the leading one, from the top. */
const LOOP_BITS = Array.from((6n * CURVE_PARAMETER + 2n).toString(2).slice(1), (bit) => bit === '1')

/** Writes the product of the Miller functions of all pairs to an Fq12 element. */
export type MultiMillerLoop = (pairs: readonly PairingInput[], product: number) => void

/**
 * The Miller loop of the optimal ate pairing (Vercauteren, ePrint 2008/096) over several pairs at once. The pairs share the
 * squarings of the accumulator, as in Granger and Smart (ePrint 2006/172). It reads lines in the order in which
 * bn128_prepareG2 wrote them. That is a doubling, an addition where the bit is set, and at the end the two Frobenius
 * additions.
 */
export function createMultiMillerLoop(curve: Curve): MultiMillerLoop {
  const { run, memory } = curve
  const ellVW = memory.allocate(SIZE.fq2)
  const ellVV = memory.allocate(SIZE.fq2)

  function multiplyLines(pairs: readonly PairingInput[], offset: number, product: number): void {
    for (const { g1, preparedG2 } of pairs) {
      const line = preparedG2 + offset
      run.f2m_mul1(line + SIZE.fq2, g1 + SIZE.fq, ellVW)
      run.f2m_mul1(line + 2 * SIZE.fq2, g1, ellVV)
      run.bn128__mulBy024(line, ellVW, ellVV, product)
    }
  }

  return (pairs, product) => {
    let offset: number = SIZE.g2Jacobian // the lines follow the point itself
    const nextLines = () => {
      multiplyLines(pairs, offset, product)
      offset += SIZE.line
    }
    run.ftm_one(product)
    for (const [index, isSet] of LOOP_BITS.entries()) {
      if (index > 0) run.ftm_square(product, product)
      nextLines()
      if (isSet) nextLines()
    }
    nextLines()
    nextLines()
  }
}
