import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As Node resolves, without the 'development' condition: else tests would load a second copy of graphql.
  ssr: { resolve: { conditions: ['node', 'module-sync'], externalConditions: ['node', 'module-sync'] } },
  test: {
    globalSetup: 'test/harness/global-setup.ts',
    include: ['test/**/*.test.ts'],
    exclude: ['test/deep/**'],
    pool: 'forks',
    maxWorkers: 2,
    // Files of one worker share what they load: to load the service anew for each costs as much as many a file's tests.
    isolate: false,
    testTimeout: 60_000,
    // What is waited for comes late where the machine is busy; a second is the default.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
  },
})
