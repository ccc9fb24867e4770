import { randomFraction } from '../../concurrency/even-times.ts'

/** Used part of the window: the rest is for mining the last intent. */
const USED_WINDOW = 0.8

/**
 * Returns the delay of each intent in milliseconds, by position. The order is random; one goes at once, and each waits
 * for the one before it and a time of exponential distribution. If that would exceed four fifths of the window, all
 * times are shortened alike.
 */
export function spreadIntents(
  count: number,
  { meanMs, windowMs }: { meanMs: number; windowMs: number },
  random: () => number = randomFraction,
): number[] {
  const times: number[] = []
  for (let place = 0; place < count; place += 1)
    times.push(place === 0 ? 0 : times[place - 1]! - Math.log(1 - random()) * meanMs)
  const last = times.at(-1) ?? 0
  const room = Math.max(0, windowMs) * USED_WINDOW
  const scale = last > room ? room / last : 1
  for (let place = count - 1; place > 0; place -= 1) {
    const other = Math.floor(random() * (place + 1))
    ;[times[place], times[other]] = [times[other]!, times[place]!]
  }
  return times.map((time) => time * scale)
}
