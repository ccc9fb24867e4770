import * as snarkjs from 'snarkjs'
import { createProver, serveProofs } from 'stealth-relay/client/pool'

// The script of the worker. The files are those of @0xbow/privacy-pools-core-sdk 1.0.2, dist/node/artifacts.
const filesOf = (name: string) => ({ wasm: `/circuits/${name}.wasm`, zkey: `/circuits/${name}.zkey` })
serveProofs(createProver(snarkjs, { withdraw: filesOf('withdraw'), commitment: filesOf('commitment') }))
