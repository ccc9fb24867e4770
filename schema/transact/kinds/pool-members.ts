import { address } from '../../define/scalars.ts'
import { described } from '../../define/shape.ts'

/** Members of quotes that involve a pool. */
export const poolAddress = described(
  address.nullish(),
  'The pool that is paid, or that pays back; absent where a quote has to do with none.',
)
