interface Jumps {
  _getValidJumpDestinations(this: { _evm: object }, code: Uint8Array): unknown
}

/**
 * Makes the EVM remember where a code may be jumped to. As it comes, it analyses a code anew for every frame that runs
 * it, which is half the time of a call that goes through several contracts. Its interpreter is not exported, so it is
 * found beside the module.
 *
 * The analysis holds the instructions' meanings, which belong to one EVM: it is remembered for each by itself.
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
