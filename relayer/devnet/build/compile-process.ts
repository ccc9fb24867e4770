import { compileContracts } from './compile-contracts.ts'

// Runs in a child process: the compiler blocks its thread, and snarkjs leaves worker threads behind.
const build = await compileContracts()
process.send?.(build, () => process.exit(0))
