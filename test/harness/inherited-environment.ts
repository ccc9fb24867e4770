/**
 * The little of our own environment that a program of the project is started with: where programs are, and what those
 * before it have compiled (see global-setup.ts).
 */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}
