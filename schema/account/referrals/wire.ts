import type { z } from 'zod'
import type { Attribution, Referrer } from '../../../relayer/account/referrals/referrals.ts'
import type * as model from './model.ts'

type Wire<Shape extends z.ZodType> = z.input<Shape>

export function attributionToWire(attribution: Attribution): Wire<typeof model.attribution> {
  const { earningStartsAt, earningEndsAt, revokedAt } = attribution
  return {
    ...attribution,
    // Null is for previews alone (api.md 2.5).
    referrerName: attribution.referrerName ?? '',
    earningStartsAt: earningStartsAt.toISOString(),
    earningEndsAt: earningEndsAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }
}

/** Who was looked up by name has one. */
export function referrerToWire(referrer: Referrer): Wire<typeof model.referrer> {
  return { ...referrer, referrerName: referrer.referrerName ?? '' }
}

/** Without the code: whoever asks has it. */
export function previewToWire({ code: _code, ...preview }: Referrer): Wire<typeof model.referralPreview> {
  return preview
}
