import { defineConfig } from 'vitest/config'
import { StoriesFirst } from './test/harness/stories-first.ts'

export default defineConfig({
  // As Node resolves, without the 'development' condition: else tests would load a second copy of graphql.
  ssr: { resolve: { conditions: ['node', 'module-sync'], externalConditions: ['node', 'module-sync'] } },
  test: {
    globalSetup: 'test/harness/global-setup.ts',
    include: ['test/**/*.test.ts'],
    exclude: ['test/deep/**'],
    // Made for build tools: it imports a file without its extension, which Node refuses.
    server: { deps: { inline: ['@kohaku-eth/privacy-pools'] } },
    pool: 'forks',
    sequence: { sequencer: StoriesFirst },
    // Files wait for blocks, timers and processes for three fifths of their time: five keep two cores busy.
    maxWorkers: 5,
    // Files of one worker share what they load: to load the service anew for each costs as much as many a file's tests.
    isolate: false,
    // Limits are for tests that hang: on a machine that is three times overloaded, whatever is waited for still comes.
    testTimeout: 180_000,
    // A look costs milliseconds of CPU that another file would use.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    hookTimeout: 180_000,
  },
})
