import { allocateFq2, SIZE, type Curve } from './curve.ts'
import { BASE_FIELD_ORDER as q } from './field-order.ts'

type Fq2 = readonly [bigint, bigint]

/** ψ(x, y) = (x̄·ψx, ȳ·ψy) with ψx = ξ^((q−1)/3), ψy = ξ^((q−1)/2), ξ = 9 + u: Frobenius carried over to the twist. */
const PSI_X: Fq2 = [
  21575463638280843010398324269430826099269044274347216827212613867836435027261n,
  10307601595873709700152284273816112264069230130616436755625194854815875713954n,
]
const PSI_Y: Fq2 = [
  2821565182194536844548159561693502659359617185244120367078079554186484126554n,
  3505843767911556378687030309984248845540243509899259641013678093033130930403n,
]
const XI: Fq2 = [9n, 1n]

/** The constant c·c̄·c of ψ³, where ψ³(x) = x̄·(c·c̄·c). */
function thirdPower([real, imaginary]: Fq2): Fq2 {
  const norm = (real * real + imaginary * imaginary) % q
  return [(real * norm) % q, (imaginary * norm) % q]
}

/** Decides whether a point of the twist belongs to G2. */
export interface SubgroupCheck {
  /** `point` is affine, on the twist and not infinity; `prepared` is the result of bn128_prepareG2 for it. */
  isInSubgroup(point: number, prepared: number): boolean
}

/**
 * Tests [6x+2]Q + ψ(Q) − ψ²(Q) + ψ³(Q) = O, which holds exactly for the points of G2.
 *
 * Source: the optimal ate pairing of Vercauteren (ePrint 2008/096) loops over this very combination, less its last term. As
 * a membership test it is El Housni, Guillevic and Piellard's (ePrint 2022/352, section 3) for that endomorphism. The norm
 * of 6x+2 + ψ − ψ² + ψ³ in Z[ψ] is prime to the twist's cofactor 2q − r.
 *
 * The sum costs nothing, since the prepared point ends with it. Its last line goes through R = [6x+2]Q + ψ(Q) and −ψ²(Q). A
 * line meets the curve in three points, here R, −ψ²(Q) and −(R − ψ²(Q)). So ψ³(Q) lies on the line iff it is the third one,
 * which is the test, or one of the first two. Neither of these is possible for Q ≠ O. The norms of ψ³ − ψ − (6x+2) and of ψ³
 * + ψ² are prime to the twist's order r(2q − r).
 *
 * The formulas of the loop are incomplete: adding equal or opposite points leaves Z = 0, and no later step leaves that
 * state. A point of small order can bring this about. The last line's slope denominator ellVW is then 0. For a point of G2
 * it never is. The tests check these norms by integer arithmetic.
 */
export function createSubgroupCheck(curve: Curve): SubgroupCheck {
  const { run, memory } = curve
  const psi3X = allocateFq2(curve, thirdPower(PSI_X))
  const psi3Y = allocateFq2(curve, thirdPower(PSI_Y))
  const xi = allocateFq2(curve, XI)
  const x = memory.allocate(SIZE.fq2)
  const y = memory.allocate(SIZE.fq2)

  return {
    isInSubgroup(point, prepared) {
      const ell0 = prepared + SIZE.preparedG2 - SIZE.line
      const ellVW = ell0 + SIZE.fq2
      const ellVV = ellVW + SIZE.fq2
      if (run.f2m_isZero(ellVW)) return false
      run.f2m_conjugate(point, x)
      run.f2m_mul(psi3X, x, x)
      run.f2m_conjugate(point + SIZE.fq2, y)
      run.f2m_mul(psi3Y, y, y)
      // the line at (x, y) is ellVW·y + ellVV·x + ell0/ξ
      run.f2m_mul(ellVW, y, y)
      run.f2m_mul(ellVV, x, x)
      run.f2m_add(x, y, x)
      run.f2m_mul(xi, x, x)
      run.f2m_add(x, ell0, x)
      return run.f2m_isZero(x) === 1
    },
  }
}
