import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['server/src/**/*.test.ts', 'contract/**/*.test.ts', 'scripts/**/*.test.ts', 'faults/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          // A busy machine may take its time; what is asserted decides, not the clock.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          // Each file has databases of its own; reading the same modules anew for each would cost a fifth of the time.
          isolate: false,
          maxWorkers: 2,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      'web/vitest.config.ts',
    ],
  },
})
