import { z } from 'zod'
import { address } from '../../define/scalars.ts'
import { described } from '../../define/shape.ts'

/** Members of answers about quotes that a bridge carries to another chain. */
export const bridgeAnswer = {
  recoveryRecipient: described(
    address.nullish(),
    'Who gets what a failed bridge gives back; null on one chain.',
  ),
  bridgeProvider: described(z.string().nullish(), 'Bridge that carries the funds; null on one chain.'),
  estimatedFillTimeMs: described(
    z.number().nullish(),
    'How long a bridge takes, in milliseconds; null on one chain.',
  ),
  fillDeadline: described(z.iso.datetime().nullish(), 'When a bridge gives up; null on one chain.'),
}
