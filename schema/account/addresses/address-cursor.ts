import { z } from 'zod'
import { cursorOf } from '../../define/cursor.ts'

/** The derivation nonce after which the next page begins. */
export const addressCursor = cursorOf(z.string().max(100), z.int().nonnegative())
