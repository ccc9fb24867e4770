interface Jumps {
  _getValidJumpDestinations(this: { _evm: object }, code: Uint8Array): unknown
}

/**
 * Makes the EVM cache the jump analysis of code. By default it analyses code again for every frame, which is half the
 * time of a call through several contracts. Its interpreter is not exported, so it is imported by its path. The
 * analysis holds instructions of one EVM, so each EVM has a cache of its own.
 */
export async function rememberJumps(): Promise<void> {
  const location = new URL('./interpreter.js', import.meta.resolve('@ethereumjs/evm'))
  const { Interpreter } = (await import(location.href)) as { Interpreter: { prototype: Jumps } }
  const analyse = Interpreter.prototype._getValidJumpDestinations
  const known = new WeakMap<object, WeakMap<Uint8Array, unknown>>()

  Interpreter.prototype._getValidJumpDestinations = function (code) {
    const ofEvm = known.get(this._evm) ?? new WeakMap<Uint8Array, unknown>()
    known.set(this._evm, ofEvm)
    const jumps = ofEvm.get(code) ?? analyse.call(this, code)
    ofEvm.set(code, jumps)
    return jumps
  }
}
