import { TEXTS } from '../texts.ts'

/** Fewer deposits than this are a poor cover: the service says so too. */
const SMALL_CROWD = 20

/** How many deposits one could be, as members of a `Fact`. */
export const describeCrowd = (crowd: number, text: (count: number) => string) =>
  crowd < SMALL_CROWD
    ? { children: text(crowd), wait: TEXTS.withdrawal.small }
    : { children: text(crowd), more: TEXTS.withdrawal.large }
