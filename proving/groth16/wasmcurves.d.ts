/** The prebuilt module of bn128 (BN254) that wasmcurves ships: byte-identical to the one that it generates at start. */
declare module 'wasmcurves/build/bn128_wasm.js' {
  const module: {
    /** The WebAssembly module in base64. */
    code: string
    /** Bytes of a prepared G2 point. */
    preQSize: number
  }
  export default module
}

/** The part of the WebAssembly API that is used here; Node has it, its type package does not. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { initial: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  function instantiate(
    code: Uint8Array,
    imports: { env: { memory: Memory } },
  ): Promise<{ instance: { exports: unknown } }>
}
