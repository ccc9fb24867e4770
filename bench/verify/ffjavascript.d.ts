declare module 'ffjavascript' {
  /** Compiles the curve; unless `singleThread`, also starts worker threads, which end with `terminate`. */
  export function buildBn128(singleThread?: boolean): Promise<{ terminate(): Promise<void> }>
}
