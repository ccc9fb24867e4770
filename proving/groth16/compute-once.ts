/** Records whether the rest of the buffer has been computed. */
export const SHARED_HEADER_BYTES = 8
const STATE = 0
const [EMPTY, BUSY, FULL] = [0, 1, 2]
/** Milliseconds after which the computing thread is presumed dead; the work takes a fifth of a second. */
const PATIENCE_MS = 1_000

/**
 * Lets one of several threads compute data that all of them need; the others wait for it and copy. If that thread dies, or
 * without a buffer, each computes for itself, with the same result.
 *
 * @param shared The same for all threads: a header, then as many bytes as `ownOf` returns; zeros at first.
 * @param ownOf Returns the bytes of this thread, which `compute` writes; called again, because its memory may have moved.
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
  // A second thread here writes the same bytes.
  computed.set(ownOf())
  Atomics.store(state, STATE, FULL)
  Atomics.notify(state, STATE)
}
