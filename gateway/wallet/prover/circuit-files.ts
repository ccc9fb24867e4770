import type { Circuit } from 'stealth-relay/client/pool'

/** A file of a circuit: its name, its length in bytes, and its SHA-256 in hex. */
export interface CircuitFile {
  name: string
  bytes: number
  sha256: string
}

/** The files of Privacy Pools v1. They come with the code, by hash: the service can give no others. */
export const CIRCUIT_FILES: Readonly<Record<Circuit, { wasm: CircuitFile; zkey: CircuitFile }>> = {
  withdraw: {
    wasm: {
      name: 'withdraw.wasm',
      bytes: 2_607_967,
      sha256: '36cda22791def3d520a55c0fc808369cd5849532a75fab65686e666ed3d55c10',
    },
    zkey: {
      name: 'withdraw.zkey',
      bytes: 17_793_015,
      sha256: '2a893b42174c813566e5c40c715a8b90cd49fc4ecf384e3a6024158c3d6de677',
    },
  },
  commitment: {
    wasm: {
      name: 'commitment.wasm',
      bytes: 2_380_442,
      sha256: '254d2130607182fd6fd1aee67971526b13cfe178c88e360da96dce92663828d8',
    },
    zkey: {
      name: 'commitment.zkey',
      bytes: 901_233,
      sha256: '494ae92d64098fda2a5649690ddc5821fcd7449ca5fe8ef99ee7447544d7e1f3',
    },
  },
}
