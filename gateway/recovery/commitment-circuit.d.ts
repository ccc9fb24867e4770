/** The files of the circuit `commitment` in base64; the build puts them in (gateway/build/build-recovery.ts). */
declare module 'virtual:commitment-circuit' {
  export const WASM: string
  export const ZKEY: string
}
