/** Holds whether the rest of the buffer has been computed. */
export const SHARED_HEADER_BYTES = 8
const STATE = 0
const [EMPTY, BUSY, FULL] = [0, 1, 2]
/** After which the thread that computes is thought to have died; it takes a fifth of a second. */
const PATIENCE_MS = 1_000

/**
 * Has one of several threads compute what all of them need; the others wait for it and copy. Where that thread died, and without a
 * buffer, each computes for itself; what is computed is the same for all.
 *
 * @param shared The same for all threads: a header, then as many bytes as `ownOf` has; zeros at first.
 * @param ownOf The bytes of this thread, which `compute` writes; asked for again, because its memory may have moved.
 */
export function computeOnce(
  shared: SharedArrayBuffer | null,
  ownOf: () => Uint8Array,
  compute: () => void,
): void {
  if (!shared) return compute()
  const state = new Int32Array(shared, 0, 1)
  const computed = new Uint8Array(shared, SHARED_HEADER_BYTES)
  const isFirst = Atomics.compareExchange(state, STATE, EMPTY, BUSY) === EMPTY
  if (!isFirst) Atomics.wait(state, STATE, BUSY, PATIENCE_MS)
  if (Atomics.load(state, STATE) === FULL) {
    ownOf().set(computed)
    return
  }
  compute()
  // Whoever comes second here writes the same bytes.
  computed.set(ownOf())
  Atomics.store(state, STATE, FULL)
  Atomics.notify(state, STATE)
}
