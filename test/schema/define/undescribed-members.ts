import { z } from 'zod'
import { described, describedAs, shape } from '../../../schema/define/shape.ts'

/**
 * Nothing runs this: the type check does the testing. It reports each directive below whose next line compiles, which is
 * to say each member that the API could have without a description.
 */
export function undescribedMembers() {
  const known = shape('Known', 'A thing.', { name: described(z.string(), 'What the thing is called.') })
  return [
    // @ts-expect-error a member without a description
    shape('Bare', 'A thing.', { name: z.string() }),
    // @ts-expect-error a described member that may also be null, and nothing says what null means
    shape('Changed', 'A thing.', { name: known.shape.name.nullable() }),
    // @ts-expect-error an object that was not made by shape()
    described(z.object({ name: z.string() }), 'A thing.'),
    // @ts-expect-error the same within a list
    described(z.array(z.object({ name: z.string() })), 'Things.'),
    // @ts-expect-error members that were added without a description
    described(known.extend({ more: z.string() }), 'A thing.'),
    // @ts-expect-error no words for the member `more`
    describedAs({ name: z.string(), more: z.string() }, known.shape),
  ]
}
